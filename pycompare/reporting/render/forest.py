"""A forest as a table of a page: one column is a picture, row by row.

Places are shares of the width, so that letters keep their size on every screen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from pycompare.base.formatting.rounding import fixed
from pycompare.reporting import document as doc
from pycompare.reporting.render.markup import Markup, markup, tag

_PAD = 0.04
_MOST_TICKS = 6
_STEPS = (1.0, 2.0, 5.0, 10.0)
_ROOM = 0.22
"""Share of the width that the words on one side of the line need."""
_WIDEST = 4.0
"""Limits further than so many times the estimates' spread are cut at the edge."""


def markup_of(forest: doc.Forest) -> Markup:
    """Return the table with its picture, then the caption."""
    axis = _ForestAxis(forest)
    columns = forest.table.columns
    numeric = [column.numeric for column in columns]
    heads = [
        tag("th", columns[0].title, scope="col"),
        tag("th", forest.title, scope="col"),
    ]
    kinds = _kinds(columns)
    heads += [
        tag("th", column.title, scope="col", class_=f"n {kind}")
        for column, kind in zip(columns[1:], kinds, strict=True)
    ]
    rows = [
        _row(row, cells, axis, kinds, columns)
        for row, cells in zip(forest.rows, forest.table.cells(), strict=True)
    ]
    rest = tag("td", colspan=str(len(numeric) - 1)) if len(numeric) > 1 else ""
    foot = tag("tr", tag("td"), tag("td", axis.foot(forest.sides), class_="plot"), rest)
    table = tag(
        "table",
        tag("thead", tag("tr", *heads)),
        tag("tbody", *rows),
        tag("tfoot", foot),
        class_="forest",
        aria_label=doc.plain(forest.table.caption),
    )
    note = tag("p", doc.plain(forest.table.caption), class_="note-text")
    return markup(table, "\n", note)


def _kinds(columns: Sequence[doc.Column]) -> list[str]:
    """Return the classes of the columns after the first: difference, p, the rest."""
    return [
        "p" if c.kind == "p" else "d" if c.kind == "digits" else "r"
        for c in columns[1:]
    ]


def _row(
    row: doc.ForestRow,
    cells: Sequence[doc.Cell],
    axis: _ForestAxis,
    kinds: Sequence[str],
    columns: Sequence[doc.Column],
) -> Markup:
    """Return one row: the name, the picture, the numbers."""
    shown = [
        tag(
            "td",
            tag("strong", doc.plain(c.text)) if c.marked else doc.plain(c.text),
            class_=f"n {kind}",
            data_l=f"{column.title} " if kind != "d" else None,
        )
        if kind != "p" or row.shown is not None
        else tag("td")
        for c, kind, column in zip(cells[1:], kinds, columns[1:], strict=True)
    ]
    return tag(
        "tr",
        tag("th", doc.plain(cells[0].text), scope="row"),
        tag("td", axis.row(row), class_="plot"),
        *shown,
        class_=_STATES[row.shown],
    )


_STATES = {True: "is-yes", False: "is-no", None: "is-no describes"}
"""Classes of rows: significant, not significant, not tested."""


class _ForestAxis:
    """The common axis of all rows."""

    def __init__(self, forest: doc.Forest) -> None:
        self.log, self.null, self.band = forest.null == 1, forest.null, forest.band
        self.scale: Callable[[float], float] = math.log if self.log else float
        inner = [
            forest.null,
            *(row.estimate for row in forest.rows),
            *filter(math.isfinite, forest.band or ()),
        ]
        placed = [self.scale(x) for x in inner if not self.log or x > 0]
        low, high = min(placed), max(placed)
        spread = (high - low) or abs(high) or 1.0
        reach = low - _WIDEST * spread, high + _WIDEST * spread
        for row in forest.rows:
            for x in row.limits or ():
                if math.isfinite(x) and (not self.log or x > 0):
                    low = max(min(low, self.scale(x)), reach[0])
                    high = min(max(high, self.scale(x)), reach[1])
        pad = _PAD * ((high - low) or 1.0)
        self.low, self.high = low - pad, high + pad

    def share(self, x: float) -> float:
        """Return the place of a value, cut at the edges, in 0 to 1."""
        if math.isnan(x):
            return 0.0
        if self.log:
            placed = math.log(x) if x > 0 else -math.inf
        else:
            placed = x
        return min(max((placed - self.low) / (self.high - self.low), 0.0), 1.0)

    def at(self, x: float) -> str:
        """Return the place of a value as ``12.34%``."""
        return f"{100 * self.share(x):.2f}%"

    def ground(self) -> list[Markup]:
        """Return the margin and the line of no difference."""
        zero = self.at(self.null)
        line = tag("line", x1=zero, x2=zero, y1="0", y2="100%", class_="zero")
        if self.band is None:
            return [line]
        low, high = map(self.share, self.band)
        band = tag(
            "rect",
            x=f"{100 * low:.2f}%",
            width=f"{100 * (high - low):.2f}%",
            y="0",
            height="100%",
            class_="band",
        )
        return [band, line]

    def row(self, row: doc.ForestRow) -> Markup:
        """Return the picture of one row."""
        kind = {True: "yes", False: "no", None: "dot"}[row.shown]
        limits = row.limits
        lines = []
        if limits is not None and not any(map(math.isnan, limits)):
            low, high = map(self.at, limits)
            lines = [
                tag("line", x1=low, x2=high, y1="50%", y2="50%", class_=f"ci {kind}")
            ]
        dot = tag(
            "circle",
            cx=self.at(row.estimate),
            cy="50%",
            r="5" if row.shown is not None else "3",
            class_=f"pt {kind}",
        )
        return tag("svg", *self.ground(), *lines, dot, aria_hidden="true")

    def foot(self, sides: tuple[str, str]) -> Markup:
        """Return the axis with its numbers, and what lies on either side."""
        parts = [tag("line", x1="0", x2="100%", y1="1", y2="1", class_="rule")]
        for x, text in self.ticks():
            at = self.at(x)
            parts.append(tag("line", x1=at, x2=at, y1="1", y2="6", class_="tick"))
            parts.append(tag("text", text, x=at, y="20", text_anchor="middle"))
        zero, place = self.at(self.null), self.share(self.null)
        left, right = sides
        if place > _ROOM:
            text = f"← {left}"
            parts.append(tag("text", text, x=zero, dx="-8", y="40", text_anchor="end"))
        if place < 1 - _ROOM:
            parts.append(tag("text", f"{right} →", x=zero, dx="8", y="40"))
        if self.band is not None:
            ends = [f"{end:.4g}".replace("-", "−") for end in self.band]
            low, high = (end.replace("inf", "∞") for end in ends)
            title = tag("title", f"margin {low} to {high}")
            parts.insert(0, title)
        return tag("svg", *parts, aria_hidden="true")

    def ticks(self) -> list[tuple[float, str]]:
        """Return round numbers on the axis, and how they are written."""
        if self.log:
            return self.log_ticks()
        wide = self.high - self.low
        rough = wide / _MOST_TICKS
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(s * power for s in _STEPS if s * power >= rough * 0.999)
        places = max(0, -math.floor(math.log10(step) + 1e-9))
        first, last = math.ceil(self.low / step), math.floor(self.high / step)
        if places > 6 or last - first > 20:
            return [(0.0, "0")]
        return [
            (i * step, fixed(i * step, places).replace("-", "−"))
            for i in range(first, last + 1)
        ]

    def log_ticks(self) -> list[tuple[float, str]]:
        """Return 1, 2 and 5 times powers of ten on a logarithmic axis, few of them."""
        low, high = self.low / math.log(10), self.high / math.log(10)
        candidates = [
            m * 10.0**e
            for e in range(math.floor(low), math.ceil(high) + 1)
            for m in (1, 2, 5)
        ]
        inside = [x for x in candidates if self.low <= math.log(x) <= self.high]
        if len(inside) > _MOST_TICKS + 1:
            inside = [x for x in inside if math.log10(x) % 1 < 1e-9]
        if len(inside) < 2:
            ends = [
                math.exp(self.low + share * (self.high - self.low))
                for share in (0.1, 0.9)
            ]
            inside = sorted({1.0, *(float(f"{x:.3g}") for x in ends)})
        return [(x, f"{x:g}") for x in inside]
