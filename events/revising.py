"""A stored game written down in another way: a new revision, whose origin says why; the old one stays."""

import hashlib
from collections.abc import Sequence
from io import BytesIO

from events.importing.reading import Chain
from events.log import Log
from events.log_rows import Game
from events.log_schema import LogError
from events.log_writing import Intake
from events.shared import GameStarted
from events.vocabulary import Event
from events.writing import write_log
