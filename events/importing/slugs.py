"""The ids of names: `Reed Heron` is `reed-heron`."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

_WORDS: Final = re.compile(r"[^\w]+", re.UNICODE)


@lru_cache(maxsize=65536)
def slug_of(name: str) -> str:
    """Return the id of a printed name: small letters without accents and apostrophes, joined by hyphens.

    Letters of other scripts stay as they are; a name without any letter or digit is itself.
    """
    plain = "".join(each for each in unicodedata.normalize("NFKD", name) if not unicodedata.combining(each))
    plain = re.sub("['\u2019\u2018`\u00b4]", "", plain).casefold().replace("_", " ")
    return _WORDS.sub("-", plain).strip("-") or name.strip()
