"""Shorter SVG: the same picture in two thirds of the bytes that Matplotlib writes.

Coordinates of 10 points and more have two decimals, styles that repeat are classes,
and indentation goes. Comments, which hold the texts of a picture for those who search
it, stay as they are.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter

_COMMENT = re.compile("<!--.*?-->", re.DOTALL)
_KEPT = "<!---->"
_LINES = {"\nM ": "M ", "\nL ": "L", "\nQ ": "Q", "\nC ": "C", "\nz": "z", '\n"': '"'}
"""Lines within the data of a path, which Matplotlib breaks at each command."""
_DECIMALS = re.compile(r"(\.\d\d)(?<=\d\d\.\d\d)\d+")
"""Decimals, of which the first two stay. It begins with what is rare: its search, by a
pattern that begins with digits, took a third of the time."""
_RECTANGLE = re.compile(
    r"M ([\d.]+) ([\d.]+)L([\d.]+) \2L\3 ([\d.]+)L\1 \4(?:L\1 \2)?z"
)
_LETTER = re.compile(r' transform="translate\(([-\d.]+) 0\)"/>')
_FONT = "DejaVuSans-"
"""How ids of letters begin; those of other fonts stay as they are."""
_STYLE = re.compile(' style="([^"]*)"')
_STYLES_END = "</style>"
_FEWEST = 2
"""Elements of one style that share a class."""


def compact(svg: str) -> str:
    """Return a picture, as Matplotlib writes it, in fewer bytes."""
    comments = iter(_COMMENT.findall(svg))
    short = _compact(_COMMENT.sub(_KEPT, svg))
    return re.sub(_KEPT, lambda _: next(comments), short)


def _compact(svg: str) -> str:
    """Return a picture without its comments in fewer bytes."""
    svg = svg.replace(" \n", "\n")
    for start, short in _LINES.items():
        svg = svg.replace(start, short)
    svg = "\n".join(line.strip() for line in svg.split("\n"))
    svg = "".join(_DECIMALS.split(svg))
    svg = _RECTANGLE.sub(r"M \1 \2H\3V\4H\1z", svg)
    svg = _LETTER.sub(r' x="\1"/>', svg)  # the place of a letter in its text
    return _with_classes(svg.replace(_FONT, "g"))


def _with_classes(svg: str) -> str:
    """Return a picture whose repeated styles are classes.

    A class is named after what it says, so that pictures pasted into one page agree.
    """
    named: dict[str, str] = {}
    for style, count in Counter(_STYLE.findall(svg)).items():
        if count >= _FEWEST:
            named.setdefault(_class(style), style)
    classes = {style: f' class="{name}"' for name, style in named.items()}
    rules = "".join(f"\n.{name}{{{style}}}" for name, style in named.items())
    svg = _STYLE.sub(lambda found: classes.get(found[1], found[0]), svg)
    return svg.replace(_STYLES_END, f"{rules}{_STYLES_END}", 1)


def _class(style: str) -> str:
    return f"s{hashlib.sha256(style.encode()).hexdigest()[:6]}"
