"""Files of other programs as a map reads them: text, sheets, JSON, XML."""
