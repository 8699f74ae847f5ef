"""trec_eval -q: one line for each measure and query, tab-separated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from pycompare.base.errors import InputError
from pycompare.data.compressed import opened_text
from pycompare.data.readers.formats import Format, Head, Part, Wanted
from pycompare.data.readers.rows import at_lines, chosen, number, stem

_LINE = re.compile(r"(\S+)[ \t]+(\S+)[ \t]+(\S+)")
_COUNTS = ("num_", "runid", "iprec_at", "relstring")
_KNOWN = {"map", "ndcg", "num_q", "recip_rank", "P_10"}


def _matches(head: Head) -> bool:
    """Return whether most lines are measures of queries; some may be damaged."""
    lines = [line.strip() for line in head.text.splitlines() if line.strip()]
    matches = [match for match in map(_LINE.fullmatch, lines) if match is not None]
    known = {match[1] for match in matches} & _KNOWN
    return len(matches) > len(lines) / 2 and bool(known)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    with opened_text(path) as file:
        for at, line in enumerate(file, start=1):
            if line.strip():
                yield at, line.strip()


def _names(path: Path) -> Path:
    """Return the path of a file without its ending: its name is the system's."""
    return path.with_name(stem(path))


def _read(path: Path, wanted: Wanted) -> Part:
    """Read one measure of all queries; the name of a file is the system."""
    rows, metrics = wanted.rows(), dict[str, None]()
    system = wanted.folder or stem(path)
    with at_lines(path, _lines(path)) as lines:
        for line in lines:
            match = _LINE.fullmatch(line)
            if match is None:
                raise InputError("not a measure, a query and a value")
            measure, query, value = match.groups()
            if query == "all":
                continue
            if not measure.startswith(_COUNTS):
                metrics[measure] = None
            if measure == (wanted.metric or next(iter(metrics), "")):
                rows.add(system, query, number(value, measure), of={"query": query})
    return Part(rows, chosen("metric", wanted.metric, list(metrics)), "higher")


TREC_EVAL = Format(
    name="trec-eval",
    program="trec_eval",
    files="the output of trec_eval -q, a .txt or .eval file for each system",
    endings=(".txt", ".eval"),
    columns="algorithm: the file's name, with folders if several files have one; "
    "block: query; score: the measure's value",
    block="a query",
    metrics="all measures are higher; counts (num_...) are left out",
    trap="lines of the query 'all' are means, not queries: they are left out",
    gaps=(
        "worst",
        "a query for which a system returned nothing is set to 0 (trec_eval -c)",
    ),
    items=True,
    names=_names,
    matches=_matches,
    read=_read,
)
