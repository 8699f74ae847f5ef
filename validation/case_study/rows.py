"""All rows of the study. A finished row is a line in a file, and is not run again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from validation.cells import finish_cells

from ..chunk_lines import append_line, read_lines
from .areas import AREAS, area_shares
from .counts import (
    cochran_errors,
    errors_alone,
    pair_errors,
    predicted_ranks,
    rank_counts,
    weighted_shares,
    win_coverage,
)
from .methods import OF_CASES, OF_CLUSTERS
from .truths import ALONE, CASES, CLUSTERS, PREDICTED, RANKED, WINS, Truth
from .weighted import WEIGHTED

COCHRAN = "omnibus/cochran-q"


def of_case(name: str, truth: Truth, runs: int) -> dict[str, float]:
    """Return the shares of errors over independent items."""
    found = pair_errors(name, truth, OF_CASES, runs)
    shares = {key: one.rejected / runs for key, one in found.items()}
    if len(set(truth.means)) == 1:
        shares[COCHRAN] = cochran_errors(name, truth, runs) / runs
    return shares


def of_cluster(name: str, truth: Truth, runs: int) -> dict[str, dict[str, float]]:
    """Return the shares of errors, and of intervals that miss, of clusters."""
    found = pair_errors(name, truth, OF_CLUSTERS, runs)
    return {
        what: {key: getattr(one, what) / runs for key, one in found.items()}
        for what in ("rejected", "missed")
    }


def of_ranks(name: str, truth: Truth, runs: int) -> dict[str, dict[str, float]]:
    """Return the counts of rank sets."""
    found = rank_counts(name, truth, runs)
    return {key: asdict(one) for key, one in found.items()}


def tasks(runs: int, rank_runs: int) -> dict[tuple[str, str], Callable[[], Any]]:
    """Return what makes each row, by section and name."""
    return {
        **{("cases", n): partial(of_case, n, t, runs) for n, t in CASES.items()},
        **{("alone", n): partial(errors_alone, n, t, runs) for n, t in ALONE.items()},
        **{
            ("clusters", n): partial(of_cluster, n, t, runs)
            for n, t in CLUSTERS.items()
        },
        **{
            ("ranked", n): partial(of_ranks, n, t, rank_runs) for n, t in RANKED.items()
        },
        **{("wins", n): partial(win_coverage, n, *r, runs) for n, r in WINS.items()},
        **{
            ("predicted", n): partial(predicted_ranks, n, t, runs)
            for n, t in PREDICTED.items()
        },
        **{
            ("weighted", n): partial(weighted_shares, n, t, runs)
            for n, t in WEIGHTED.items()
        },
        **{("areas", n): partial(area_shares, n, t, runs) for n, t in AREAS.items()},
    }


def run(folder: Path, runs: int, rank_runs: int) -> dict[str, dict[str, Any]]:
    """Run the rows that are not in the folder; return all rows by section."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"rows_{runs}_{rank_runs}.jsonl"
    todo = tasks(runs, rank_runs)
    done = {(line["section"], line["row"]): line["found"] for line in read_lines(path)}

    def keep(key: tuple[str, str], row: Any) -> None:
        done[key] = row
        append_line(path, {"section": key[0], "row": key[1], "found": row})

    left = [key for key in todo if key not in done]
    finish_cells(lambda key: todo[key](), left, "cases", keep)
    found: dict[str, dict[str, Any]] = {}
    for section, name in todo:
        found.setdefault(section, {})[name] = done[section, name]
    return found
