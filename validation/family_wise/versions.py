"""Which rows of the stored study are those of the present code.

A row has the hash of what its method decides in a few seeded runs, and of what is true
there. Rows with the hash of the present code are kept; the others are run again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from pycompare.results.guarantees import guarantee

from .methods import Method
from .rows import Row, stored
from .scenarios import Scenario

RUNS = 20
Key = tuple[str, str, str, str, str]
"""Truth, design, guarantee, method and hypothesis of a row."""
Kept = dict[Key, Row]


def key(scenario: Scenario, method: Method, hypothesis: str) -> Key:
    """Return the key of a row."""
    return (
        scenario.truth,
        scenario.design,
        method.guarantee,
        method.title,
        hypothesis,
    )


def key_of(row: Row) -> Key:
    """Return the key of a row that is made."""
    return row.truth, row.design, row.guarantee, row.method, row.hypothesis


def decided(scenario: Scenario) -> dict[Key, str]:
    """Return the hash of the decisions of each row of a scenario."""
    data = scenario.make(0, RUNS)
    hashes = {}
    for method in scenario.methods:
        signs = method.signs(data).astype(np.int8)
        for hypothesis in scenario.hypotheses(method):
            true = scenario.expected(method, hypothesis).astype(np.int8)
            text = signs.tobytes() + true.tobytes()
            hashes[key(scenario, method, hypothesis)] = hashlib.sha256(
                text
            ).hexdigest()[:8]
    return hashes


def kept(
    scenarios: Sequence[Scenario], path: Path, report: Callable[[str], None]
) -> Kept:
    """Return the stored rows that the present code decides as they were decided."""
    if not path.exists():
        return {}
    rows = {key_of(row): row for row in (Row(**fields) for fields in stored(path))}
    hashes = {own: text for s in scenarios for own, text in decided(s).items()}
    found = {
        own: rows[own]
        for own, text in hashes.items()
        if own in rows and rows[own].decisions == text
    }
    report(f"{len(found)} of {len(hashes)} rows are decided as when they were stored")
    return found


def as_promised(row: Row, scenario: Scenario, method: Method) -> Row:
    """Return a kept row with what the present ledger promises."""
    broken = scenario.broken(method, row.hypothesis)
    promised = guarantee(method.guarantee).promises(broken)
    return replace(row, violates=broken, promised=promised)
