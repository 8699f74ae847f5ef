"""Rows of cells of a text file: separated, in columns of blanks, Markdown, LaTeX."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from threading import Lock
from typing import NamedTuple

from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import counted

MARKDOWN, LATEX, BLANKS = "markdown", "latex", "space"
"""Ways to write cells that no single character separates."""
_LIMIT = Lock()

_RULER = re.compile(r"\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?")
_UNESCAPED_BAR = re.compile(r"(?<!\\)\|")

_TABULAR = re.compile(
    r"\\begin\{(?P<kind>tabular[xy*]?|longtable|array)\}(?P<body>.*?)"
    r"\\end\{(?P=kind)\}",
    re.DOTALL,
)
_COMMENT = re.compile(r"(?<!\\)%.*")
_RULES = re.compile(
    r"\\(?:top|mid|bottom|h)(?:rule|line)\b(?:\[[^]]*\])?"
    r"|\\c(?:mid)?(?:rule|line)\b(?:\[[^]]*\])?(?:\([^)]*\))?\{[^}]*\}"
    r"|\\addlinespace\b(?:\[[^]]*\])?|\\(?:row|cell)color\b(?:\[[^]]*\])?\{[^}]*\}"
    r"|\\(?:endhead|endfirsthead|endfoot|endlastfoot|centering|small|footnotesize)\b"
)
_ROW_END = re.compile(r"\\\\(?:\[[^]]*\])?|\\tabularnewline\b")
_UNESCAPED_AND = re.compile(r"(?<!\\)&")
_SPANS = re.compile(r"\\multi(?P<kind>row|column)\s*\{(?P<n>\d+)\}")
_EMPHASIS = re.compile(
    r"\\(?:text(?:bf|it|rm|sc|tt|sf)|math(?:bf|it|rm)|emph|underline|bm|mbox)\s*"
    r"\{((?:[^{}]|\{[^{}]*\})*)\}"
)
_SWITCH = re.compile(r"\\(?:bfseries|itshape|bf|it|em)\b\s*")
_ESCAPED = {r"\%": "%", r"\_": "_", r"\&": "&", r"\#": "#", r"\$": "$", r"\pm": "±"}


_SHORT = 3
"""Characters of cells that are held once: each 0 or 1 of millions takes 50 bytes."""


class TextRows(NamedTuple):
    """Cells of each record, and the line of the file on which it begins.

    ``n_blank`` records without any cell, between others, were left out.
    """

    cells: list[list[str]]
    lines: list[int]
    n_blank: int = 0


def without_blank(rows: TextRows) -> TextRows:
    """Return records less those without a cell, if others have several."""
    while rows.cells and not any(rows.cells[-1]):
        rows.cells.pop()
        rows.lines.pop()
    # Nearly every row has a first cell, which is enough.
    kept = [
        i
        for i, cells in enumerate(rows.cells)
        if (cells and cells[0].strip()) or any(map(str.strip, cells))
    ]
    n_blank = len(rows.cells) - len(kept)
    if not n_blank or len(rows.cells[-1]) == 1:
        return rows
    lines = [rows.lines[i] for i in kept]
    return TextRows([rows.cells[i] for i in kept], lines, n_blank)


def rows_of(text: str, way: str) -> TextRows:
    """Return the cells of a text, less blank lines.

    Parameters
    ----------
    text : str
    way : str
        The character between cells, or ``"space"``, ``"markdown"``, ``"latex"``.

    Raises
    ------
    InputError
        If a quote stays open, or the text has no table, or several, in Markdown or
        LaTeX.
    """
    if way == MARKDOWN:
        return _markdown(text)
    if way == LATEX:
        return _latex(text)
    return without_blank(_separated(text, way))


def _separated(text: str, way: str) -> TextRows:
    """Return cells with one character, or blanks, between them."""
    blanks = way == BLANKS
    lines: Iterable[str] = io.StringIO(text, newline="")
    if blanks:
        lines = (f"{line.strip()}\n".replace("\t", " ") for line in lines)
    rows = TextRows([], [])
    keep, keep_line, line = rows.cells.append, rows.lines.append, 1
    known: dict[str, str] = {}
    share = known.setdefault
    with _long_fields(len(text)):
        reader = csv.reader(
            lines,
            delimiter=" " if blanks else way,
            skipinitialspace=blanks,
            strict=True,
        )
        try:
            for cells in reader:
                keep([share(c, c) if len(c) <= _SHORT else c for c in cells])
                keep_line(line)
                line = reader.line_num + 1
        except csv.Error as error:
            raise InputError(f"line {line}: {error}; check the quotes") from error
    if blanks:
        _name_rows(rows.cells)
    return rows


@contextmanager
def _long_fields(length: int) -> Iterator[None]:
    """Let the csv module read a field of any length; its limit is a global."""
    with _LIMIT:
        before = csv.field_size_limit(max(length, csv.field_size_limit()))
        try:
            yield
        finally:
            csv.field_size_limit(before)


def _name_rows(cells: list[list[str]]) -> None:
    """Give the row names of R's write.table a header without a name."""
    if len(cells) > 1 and {len(row) for row in cells[1:]} == {len(cells[0]) + 1}:
        cells[0].insert(0, "")


def _markdown(text: str) -> TextRows:
    """Return the one table of a Markdown text."""
    lines = text.splitlines()
    rulers = [
        i for i, line in enumerate(lines)
        if i and "|" in lines[i - 1] and "-" in line and _RULER.fullmatch(line.strip())
    ]  # fmt: skip
    _require_one(rulers, "Markdown")
    start = rulers[0]
    rows = TextRows([_bars(lines[start - 1])], [start])
    for at in range(start + 1, len(lines)):
        if "|" not in lines[at]:
            break
        rows.cells.append(_bars(lines[at]))
        rows.lines.append(at + 1)
    return rows


def _bars(line: str) -> list[str]:
    """Return the cells of a line of Markdown."""
    inside = line.strip().removeprefix("|")
    if inside.endswith("|") and not inside.endswith(r"\|"):
        inside = inside[:-1]
    cells = _UNESCAPED_BAR.split(inside)
    return [cell.strip().replace(r"\|", "|") for cell in cells]


def _latex(text: str) -> TextRows:
    """Return the one table of a LaTeX text; a cell over several rows fills them."""
    tables = list(_TABULAR.finditer(text))
    _require_one([text.count("\n", 0, match.start()) for match in tables], "LaTeX")
    table = tables[0]
    first = table.start("body")
    body = _COMMENT.sub("", _without_format(table["body"]))
    line = text.count("\n", 0, first) + 1
    rows = TextRows([], [])
    spans: dict[int, tuple[str, int]] = {}
    for written in _row_texts(body):
        row = _RULES.sub(lambda match: " " * len(match[0]), written)
        content = row.strip()
        if content:
            lead = len(row) - len(row.lstrip())
            rows.cells.append(_row_cells(content, spans))
            rows.lines.append(line + row.count("\n", 0, lead))
        line += row.count("\n")
    if not rows.cells:
        raise InputError("the LaTeX table has no rows")
    return rows


def _without_format(body: str) -> str:
    """Return the body of a table less the groups that give its columns."""
    at = 0
    while at < len(body) and body[at] in "{[ \n\t":
        if body[at] in "{[":
            at = _closed(body, at)
        else:
            at += 1
    return "\n" * body.count("\n", 0, at) + body[at:]


def _closed(text: str, at: int) -> int:
    """Return the place after the group that opens at a place."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] in "{[") - (text[i] in "}]")
        if depth == 0:
            return i + 1
    raise InputError("a brace of the LaTeX table stays open")


def _row_texts(body: str) -> Iterator[str]:
    """Yield the text of each row, with the line ends within it."""
    ends = [0, *(match.end() for match in _ROW_END.finditer(body)), len(body)]
    for start, end in pairwise(ends):
        yield _ROW_END.sub("", body[start:end])


def _row_cells(content: str, spans: dict[int, tuple[str, int]]) -> list[str]:
    """Return the cells of a row; ``spans`` holds what reaches into later rows."""
    cells: list[str] = []
    for raw in _UNESCAPED_AND.split(content):
        text, width, height = raw.strip(), 1, 1
        while match := _SPANS.match(text):
            rest = text[match.end() :].lstrip()
            rest = rest[_closed(rest, 0) :] if rest[:1] == "{" else rest.lstrip("*")
            inner = rest.strip()
            text = inner[1:-1] if inner[:1] == "{" else inner
            if match["kind"] == "row":
                height = int(match["n"])
            else:
                width = int(match["n"])
        label = _plain(text)
        above, left = spans.get(len(cells), ("", 0))
        if left:
            spans[len(cells)] = (above, left - 1)
            label = label or above
        if height > 1:
            spans[len(cells)] = (label, height - 1)
        cells += [label] + [""] * (width - 1)
    return cells


def _plain(text: str) -> str:
    """Return the text of a LaTeX cell without its formatting."""
    while True:
        bare = _EMPHASIS.sub(r"\1", text)
        if bare == text:
            break
        text = bare
    text = re.sub(r"(?<!\\)\$", "", _SWITCH.sub("", text))
    for written, meant in _ESCAPED.items():
        text = text.replace(written, meant)
    text = re.sub(r"(?<!\\)[{}]", "", text).replace("~", " ")
    return " ".join(text.split())


def _require_one(places: list[int], what: str) -> None:
    """Reject a text with no table or with several."""
    if len(places) == 1:
        return
    if not places:
        raise InputError(f"the file has no {what} table")
    at = ", ".join(str(place + 1) for place in places)
    raise InputError(
        f"the file has {counted(len(places), what + ' table')} (lines {at}); "
        "save the table of scores in a file of its own"
    )
