"""The font of all pictures, which Matplotlib has, and the characters it lacks.

No letter comes from a font of the machine: the same result has the same picture, byte
for byte, whatever fonts are installed.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from pathlib import Path

FONT = "DejaVu Sans"
_CUTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")


def font_file(cut: str = _CUTS[0]) -> Path:
    """Return the file of the font, or of its bold cut."""
    import matplotlib

    return Path(matplotlib.get_data_path(), "fonts", "ttf", cut)


@lru_cache(maxsize=1)
def _characters() -> frozenset[int]:
    """Return the code points that the font has in every cut."""
    from matplotlib.ft2font import FT2Font

    cuts = (FT2Font(str(font_file(cut))).get_charmap() for cut in _CUTS)
    return frozenset.intersection(*map(frozenset, cuts))


def is_missing(character: str) -> bool:
    """Return whether the font lacks a character in one of its cuts.

    Characters for private use mean another thing in each font, and are none of it.
    """
    private = unicodedata.category(character) == "Co"
    return private or ord(character) not in _characters()


def code_point(character: str) -> str:
    """Return the substitute for a character that the font lacks, such as U+4E2D."""
    return f"U+{ord(character):04X}"
