"""Maps: data that says how the lines, rows or results of another program's file become events of the log."""
