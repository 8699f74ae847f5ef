"""trec_eval -q: one line for each measure and query, tab-separated.

A block is a query. Trap: lines of the query ``all`` are means, not queries.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from pycompare.errors import InputError
from pycompare.readers.formats import Format, Found, Head, Wanted
from pycompare.readers.rows import Gathered, at_line, chosen, number

_LINE = re.compile(r"(\S+)[ \t]+(\S+)[ \t]+(\S+)")
_COUNTS = ("num_", "runid", "iprec_at", "relstring")


def _matches(head: Head) -> bool:
    """Return whether the lines are measures of queries, and of all of them."""
    lines = [_LINE.fullmatch(x.strip()) for x in head.text.splitlines()[:-1]]
    found = [line for line in lines if line is not None]
    known = {line[1] for line in found} & {"map", "ndcg", "num_q", "recip_rank", "P_10"}
    return len(found) == len(lines) > 0 and bool(known)


def _read(paths: Sequence[Path], wanted: Wanted) -> Found:
    """Read one measure of all queries; the name of a file is the system."""
    rows, metrics = Gathered(), dict[str, None]()
    for path in paths:
        with path.open(encoding="utf-8") as file:
            for line, text in enumerate(file, start=1):
                with at_line(path, line):
                    found = _LINE.fullmatch(text.strip())
                    if found is None and text.strip():
                        raise InputError("not a measure, a query and a value")
                    if found is None or found[2] == "all":
                        continue
                    if not found[1].startswith(_COUNTS):
                        metrics[found[1]] = None
                    if found[1] == (wanted.metric or next(iter(metrics), "")):
                        rows.add(path.stem, found[2], number(found[3], found[1]))
    metric = chosen("metric", wanted.metric, list(metrics))
    return Found(rows, metric, "higher")


TREC_EVAL = Format("trec-eval", "trec_eval -q", (".txt", ".eval"), _matches, _read)
