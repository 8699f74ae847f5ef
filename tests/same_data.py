"""The same data in other words: rows in another order, other names, another unit.

No p-value may depend on them. ``tests.command_fuzz`` asks it of every command that it
has generated and that was done.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np

NAMED = {"algorithm", "modality", "A"}
"""Columns of names of algorithms, in long tables."""
NAMING = {"--control", "--algorithms"}
"""Options that name an algorithm."""
SCALED = {"score", "rating", "m1"}
DRAWN = re.compile(
    "closed-permutation|max-t|single-step|sign-flip|permut|bootstrap|simulat|seed"
)
"""Words of what depends on random numbers, which the order of the data moves."""
NOT_COMPARED = {"plan", "rank_predictions", "neighbours"}
DEPENDENT = ("p_adjusted", "p_smallest", "p_low", "p_high")
"""P-values that come from those of several tests, some of which may be drawn."""
SOURCES = ("p_source", "method", "covariance_method")
BY_VALUE = {
    *("--margin", "--decimals", "--threshold", "--percent", "--only", "--null"),
    *("--cost-ratio", "--loss", "--mixed"),
}
"""Options whose answers depend on the unit of the scores."""
EXACT = 1e290
"""Numbers up to here, and from its inverse on, are scaled without rounding."""
CLOSE = 1e-6
_ANSWERS = {"0", "1", "0.0", "1.0", "0.00", "1.00"}


def retold(
    arguments: Sequence[str], text: str, plan: str = "", seed: int = 0
) -> tuple[list[str], str] | None:
    """Return a command's arguments and its table in other words.

    None if the table is no plain one, or if a plan says more than it can follow.
    """
    rows = list(csv.reader(io.StringIO(text, newline="")))
    if arguments[0] not in ("compare", "model", "mrmc", "curves", "run"):
        return None
    if len(rows) < 3 or len({len(row) for row in rows}) > 1:
        return None
    draw = Random(seed)
    head, body = rows[0], rows[1:]
    wide = "--wide" in arguments
    by_value = bool(BY_VALUE & set(arguments)) or arguments[0] == "curves" or bool(plan)
    scored = [
        at for at, name in enumerate(head) if (at > 0 if wide else name in SCALED)
    ]
    if not by_value and _scale(body, scored) is False:
        return None
    named = [] if plan else _renamed(arguments, head, body, wide)
    draw.shuffle(body)
    if wide:
        order = [0, *draw.sample(range(1, len(head)), len(head) - 1)]
        head, *body = [[row[at] for at in order] for row in (head, *body)]
    stream = io.StringIO(newline="")
    csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(
        [head, *body]
    )
    known = dict(named)
    words = [
        known.get(word, word) if before in NAMING else word
        for before, word in pairwise(("", *arguments))
    ]
    return words, stream.getvalue()


def _scale(body: list[list[str]], places: Sequence[int]) -> bool:
    """Multiply scores by 4, which rounds nothing; False if they are no such numbers.

    Scores of 0 and 1 stay: they are right and wrong answers, which other tests compare.
    """
    if {row[at].strip() for row in body for at in places} <= _ANSWERS:
        return True
    for row in body:
        for at in places:
            try:
                score = float(row[at])
            except ValueError:
                return False
            if score and not 1 / EXACT <= abs(score) <= EXACT:
                return False
            row[at] = repr(4 * score)
    return True


def _renamed(
    arguments: Sequence[str], head: list[str], body: list[list[str]], wide: bool
) -> list[tuple[str, str]]:
    """Give the algorithms other names, in the other order of the alphabet."""
    places = [at for at, name in enumerate(head) if name in NAMED]
    if wide:
        names = head[1:]
    else:
        names = list(dict.fromkeys(row[at] for row in body for at in places))
    options = set(arguments) - set(names)
    if len(names) != len(set(names)) or any("=" in word for word in options):
        return []
    told = {name: f"n{len(names) - at}" for at, name in enumerate(names)}
    if wide:
        head[1:] = [told[name] for name in names]
    for row in body:
        for at in places if not wide else ():
            row[at] = told[row[at]]
    return list(told.items())


# ---- p-values ------------------------------------------------------------------------


def p_values(results: Any) -> dict[str, list[float]]:
    """Return the p-values that are not drawn, of each kind, in ascending order."""
    found: dict[str, list[float]] = {}
    drawn = DRAWN.search(json.dumps(results.get("analyses", results)))
    for name, p in _found(results):
        if drawn and name.startswith(DEPENDENT):
            continue
        found.setdefault(name, []).append(p)
    return {name: sorted(values) for name, values in found.items()}


def _found(held: Any) -> Iterator[tuple[str, float]]:
    if isinstance(held, Mapping):
        sources = (held.get(name, "") for name in SOURCES)
        if any(DRAWN.search(str(source)) for source in sources):
            return
        for name, part in held.items():
            number = isinstance(part, int | float) and not isinstance(part, bool)
            if name.startswith("p_") and number and not DRAWN.search(name):
                yield name, float(part)
            elif name not in NOT_COMPARED and not name.startswith("Permutations"):
                yield from _found(part)
    elif isinstance(held, list):
        for part in held:
            yield from _found(part)


def differing(one: Any, other: Any) -> str:
    """Say which p-values of two results differ."""
    before, after = p_values(one), p_values(other)
    for name in sorted({*before, *after}):
        a, b = before.get(name, []), after.get(name, [])
        if len(a) != len(b) or not np.allclose(a, b, rtol=CLOSE, atol=math.ulp(0)):
            return f"{name}: {a} and, in other words, {b}"
    return ""
