"""Shorter SVG: the same picture in two thirds of the bytes that Matplotlib writes.

Coordinates of 10 points and more have two decimals, styles that repeat are classes,
and indentation and metadata go. Texts stay as they are, and so do comments, which hold
the texts of a picture whose letters are paths.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable

_TEXT = re.compile("(<!--.*?-->|>[^<]+</text>)", re.DOTALL)
"""Comments and texts, which hold labels; no rule of this module is about these."""
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
_FONTS = "Arial, Helvetica, 'Liberation Sans', sans-serif"
"""Fonts of pictures whose letters are text; a page has its own."""
_PAGE_FONTS = (
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, "
    "'Noto Sans', 'Liberation Sans', sans-serif"
)
_FAMILY = re.compile(r"font-family: ?'DejaVu Sans'(?:, [^;\"]*)?")
_METADATA = re.compile("<metadata>.*?</metadata>", re.DOTALL)
_UNTURNED = re.compile(r' transform="rotate\(-?0 [^"]*"')
_STYLE = re.compile(' style="([^"]*)"')
_STYLES_END = "</style>"
_FEWEST = 2
"""Elements of one style that share a class."""


def compact(svg: str) -> str:
    """Return a picture, as Matplotlib writes it, in fewer bytes."""
    return _around_texts(_compact, svg)


def _around_texts(change: Callable[[str], str], svg: str) -> str:
    """Return a picture of which everything but its texts is changed."""
    parts = _TEXT.split(svg)
    changed = change(_KEPT.join(parts[::2])).split(_KEPT)
    parts[::2] = changed
    return "".join(parts)


def _compact(svg: str) -> str:
    """Return a picture without its texts in fewer bytes."""
    svg = _METADATA.sub("", svg)
    svg = _UNTURNED.sub("", _FAMILY.sub(f"font-family: {_FONTS}", svg))
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
    svg = _STYLE.sub(lambda match: classes.get(match[1], match[0]), svg)
    return svg.replace(_STYLES_END, f"{rules}{_STYLES_END}", 1)


def _class(style: str) -> str:
    return f"s{hashlib.sha256(style.encode()).hexdigest()[:6]}"


THEME = {
    "#000000": ("ink", "#17202a", "#e6eaee"),
    "#555555": ("soft", "#5a6570", "#9aa5b0"),
    "#808080": ("no", "#77818b", "#82909c"),
    "#cccccc": ("line", "#dce1e6", "#2d353d"),
    "#ffffff": ("paper", "#ffffff", "#12171c"),
    "#0b5fa5": ("yes", "#0b5fa5", "#63b1f2"),
    "#77818b": ("no", "#77818b", "#82909c"),
    "#f6e7c1": ("margin", "#f6e7c1", "#3d341d"),
    "#d55e00": ("warn", "#b5480a", "#f19358"),
}
"""Colours of pictures: the name, and the light and dark colour, that a page has."""
_KEPT_COLOURS = frozenset({"#009e73", "#cc79a7", "#e69f00", "#56b4e9"})
"""Colours that can be seen on light and on dark ground."""
_COLOUR = re.compile(r"#[0-9a-f]{6}\b")
_GROUND = re.compile(
    r'(<g id="patch_1">\s*<path [^>]*?)(?:style="fill: #ffffff"|class="\w+")'
)
_DARK = "@media (prefers-color-scheme: dark)"
_TURNED = f"{_DARK}{{svg{{filter: invert(0.92) hue-rotate(180deg)}}}}"
"""For pictures with shaded cells, whose text is dark on a light colour."""


def themed(svg: str) -> str:
    """Return a picture for a page: its colours follow the light or dark scheme.

    The ground is that of the page. Colours are variables; a picture that has colours of
    its own, such as shaded cells, is inverted as a whole.
    """
    return _around_texts(_themed, svg)


def _themed(svg: str) -> str:
    """Return a picture without its texts for a page."""
    svg = _GROUND.sub(r'\1style="fill: none"', svg, count=1)
    svg = svg.replace(f"font-family: {_FONTS}", f"font-family: {_PAGE_FONTS}")
    own = {*_COLOUR.findall(svg)} - {*THEME} - _KEPT_COLOURS
    if own:
        return _with_style(svg, _TURNED)
    names = {colour: f"var(--{name})" for colour, (name, *_) in THEME.items()}
    svg = _COLOUR.sub(lambda match: names.get(match[0], match[0]), svg)
    tokens = [*dict.fromkeys(THEME.values())]
    light = "".join(f"--{name}:{colour};" for name, colour, _ in tokens)
    dark = "".join(f"--{name}:{colour};" for name, _, colour in tokens)
    rules = f":root{{{light}fill:var(--ink)}}{_DARK}{{:root{{{dark}}}}}"
    return _with_style(svg, rules)


def _with_style(svg: str, rules: str) -> str:
    """Return a picture with rules of its own, after its first element begins."""
    start = svg.find("<svg")
    end = svg.find(">", start) + 1
    return f"{svg[:end]}<style>{rules}</style>{svg[end:]}" if start >= 0 else svg
