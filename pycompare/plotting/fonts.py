"""Fonts for characters that the font of all pictures lacks, such as Chinese ones.

The folders of the environment variable ``PYCOMPARE_FONTS`` come first, then fonts of
the machine that are known to have many characters. A label that needs one of them has
the same picture on machines with the same fonts only.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path

FONT = "DejaVu Sans"
"""Of all texts; others have only the characters that it lacks."""
FOLDERS = "PYCOMPARE_FONTS"
_ENDINGS = (".ttf", ".otf", ".ttc")
_KNOWN = (
    "notosanscjk", "notosanssc", "notosansjp", "notosanskr", "sourcehansans",
    "wqy-microhei", "wqy-zenhei", "droidsansfallback", "msyh", "yugoth", "msgothic",
    "malgun", "simsun", "pingfang", "hiragino", "arialunicode", "arial unicode",
    "notoemoji-", "symbola", "seguisym",
)  # fmt: skip
"""How names of files begin, the most wanted first; emoji of one colour only."""


@dataclass(frozen=True)
class Fallback:
    """A font file that Matplotlib and typst can both read."""

    path: Path
    family: str

    @cached_property
    def characters(self) -> frozenset[int]:
        """The code points that it has."""
        from matplotlib.ft2font import FT2Font

        return frozenset(FT2Font(str(self.path)).get_charmap())


def fallbacks() -> tuple[Fallback, ...]:
    """Return the fonts of this machine that may help, the most wanted first."""
    return _fallbacks(os.environ.get(FOLDERS, ""))


@lru_cache(maxsize=8)
def _fallbacks(folders: str) -> tuple[Fallback, ...]:
    from matplotlib.font_manager import fontManager

    made: dict[str, Fallback] = {}
    for path in _files(folders):
        found = _opened(path)
        if found is not None and found.family not in made:
            fontManager.addfont(path)
            # It stands for its own bold cut, which is not looked for.
            faces = [f for f in fontManager.ttflist if f.fname == str(path)]
            fontManager.ttflist += [replace(face, weight=700) for face in faces]
            made[found.family] = found
    return tuple(made.values())


def _files(folders: str) -> Iterator[Path]:
    """Yield files of fonts: those of the user's folders, then known ones."""
    for folder in filter(None, folders.split(os.pathsep)):
        yield from sorted(p for p in Path(folder).rglob("*") if _is_font(p))
    yield from _of_machine()


@lru_cache(maxsize=1)
def _of_machine() -> tuple[Path, ...]:
    from matplotlib.font_manager import findSystemFonts

    wanted: dict[str, list[Path]] = {name: [] for name in _KNOWN}
    for path in map(Path, sorted(findSystemFonts())):
        start = next((n for n in _KNOWN if path.name.lower().startswith(n)), None)
        if start is not None and _is_font(path):
            wanted[start].append(path)
    return tuple(path for paths in wanted.values() for path in _regular(paths))


def _is_font(path: Path) -> bool:
    return path.suffix.lower() in _ENDINGS and path.is_file()


def _regular(paths: list[Path]) -> list[Path]:
    """Return the regular cut, of which there is one for each name."""
    plain = [path for path in paths if "regular" in path.name.lower()]
    return (plain or sorted(paths, key=lambda path: len(path.name)))[:1]


def _opened(path: Path) -> Fallback | None:
    """Return a font that is made of outlines; None for others and broken files."""
    from matplotlib.ft2font import FT2Font

    try:
        font = FT2Font(str(path))
    except (OSError, RuntimeError):
        return None
    return Fallback(path, font.family_name) if font.scalable else None


def fallback_of(character: str) -> Fallback | None:
    """Return the font that has a character, if there is one."""
    code = ord(character)
    return next((one for one in fallbacks() if code in one.characters), None)
