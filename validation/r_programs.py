"""Plans and reports of which ``reproduce.R`` repeats every number that R computes.

``python -m validation.r_programs [--plans N] [--file FILE] [--minutes M]`` writes
``R_PROGRAMS.md``. Scores, labels and plans are those of ``validation.random_plans``,
the reports of each kind those of ``validation.r_reports``; what is finished is one line
of FILE, so an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pycompare as pc
from pycompare.base.errors import PyCompareError, ReferenceUnavailable
from pycompare.base.interop.r_program import program
from pycompare.reporting.evidence.cross_check import CrossCheck, cross_check
from pycompare.reporting.write import write_program
from pycompare.results.result import plain

from .chunk_lines import append_line, read_lines
from .markdown import table
from .r_reports import KINDS
from .random_plans import case

HERE = Path(__file__).parent
PAGE, LINES = HERE / "R_PROGRAMS.md", HERE / "r_programs.jsonl"
SCALES = (1.0, 1.0, 1.0, 1e-9, 1e9)
"""Units of the scores; squares of 1e300 overflow in R's functions."""
LONGEST = 300.0
"""Seconds that R has for one plan."""


def run(seed: int, scales: Sequence[float] = SCALES) -> dict[str, Any]:
    """Compare by a random plan, and let R repeat it."""
    make_scores, make_plan = case(seed, scales)
    try:
        scores = make_scores()
        found = pc.compare(scores, make_plan(scores))
    except PyCompareError:
        return {"seed": seed, "outcome": "refused"}
    with tempfile.TemporaryDirectory() as folder:
        results = plain(found.to_dict())
        write_program(program(found.results()), results, Path(folder))
        return {
            "seed": seed,
            "analysis": found.parts[0].analyses[0].kind,
            "algorithms": len(scores.algorithms),
            "blocks": len(scores.blocks),
            **_checked(Path(folder)),
        }


def run_kind(name: str) -> dict[str, Any]:
    """Write the report of a kind, and let R repeat it."""
    with tempfile.TemporaryDirectory() as folder:
        written = pc.report(KINDS[name](), Path(folder) / "report")
        return {"report": name, **_checked(written)}


def _checked(folder: Path) -> dict[str, Any]:
    """Return what R says of a folder."""
    try:
        said = cross_check(folder, LONGEST)
    except ReferenceUnavailable as error:
        return {"outcome": "stopped", "differs": [str(error)[-200:]]}
    return {"outcome": "agrees" if said.passed else "differs", **_counts(said)}


def _counts(said: CrossCheck) -> dict[str, Any]:
    return {
        "agree": said.agree,
        "compared": said.compared,
        "fewest": min((d for d, _ in said.digits), default=None),
        "differs": list(said.differs[:20]),
    }


def page(every: list[dict[str, Any]]) -> str:
    """Return the page of what was run."""
    lines = [line for line in every if "seed" in line]
    reports = [line for line in every if "report" in line]
    outcomes = Counter(line["outcome"] for line in lines)
    made = [line for line in lines if "compared" in line]
    planned = len(lines) - outcomes["refused"]
    agree, compared = (sum(x[key] for x in made) for key in ("agree", "compared"))
    rows = [("analysis", "plans", "that agree", "numbers compared", "that agree")]
    for kind in sorted({line["analysis"] for line in made}):
        of = [line for line in made if line["analysis"] == kind]
        agreeing = sum(x["outcome"] == "agrees" for x in of)
        numbers = (sum(x[key] for x in of) for key in ("compared", "agree"))
        counts = f"{len(of)}", f"{agreeing}", *(f"{n:,}" for n in numbers)
        rows.append((kind, *counts))
    open_ones = [
        f"- {_name(x)}: {x['compared'] - x['agree']} of {x['compared']} numbers; "
        f"first `{x['differs'][0] if x['differs'] else '-'}`"
        for x in every
        if x["outcome"] == "differs"
    ]
    stopped = [
        f"- {_name(x)}: {' '.join(x['differs'][0].split())}"
        for x in every
        if x["outcome"] == "stopped"
    ]
    return "\n".join(
        [
            "# Random plans repeated in R",
            "",
            "Written by `python -m validation.r_programs`. Scores, labels and plans "
            "are random over every key of a plan, with ties, constant columns, missing "
            "cells and labels that are code; `reproduce.R` of each repeats it.",
            "",
            f"**{outcomes['agrees']} of {planned} plans agree on every number; "
            f"{agree:,} of {compared:,} numbers agree to 10 digits or more.** "
            f"{outcomes['refused']} further plans were refused with a message, as they "
            "should be.",
            "",
            *table(rows),
            "",
            *(_of_kinds(reports) if reports else []),
            *(["## Plans that differ", "", *open_ones, ""] if open_ones else []),
            *(["## Programs that did not end", "", *stopped, ""] if stopped else []),
        ]
    )


def _name(line: dict[str, Any]) -> str:
    return f"seed {line['seed']}" if "seed" in line else f"report: {line['report']}"


def _of_kinds(reports: list[dict[str, Any]]) -> list[str]:
    """Return the section of reports of each kind."""
    none = [x for x in reports if x.get("compared") == 0]
    agree = sum(x["outcome"] == "agrees" for x in reports) - len(none)
    return [
        "## Reports of each kind",
        "",
        f"{agree} of {len(reports)} reports agree on every number that R computes"
        + (f"; {len(none)} without a counterpart in R." if none else ".")
        + " Fewer than 10 digits are asked only of generalised mixed models, where R's "
        "function ends a search early.",
        "",
        *table(
            [
                ("report", "numbers compared", "that agree", "fewest digits"),
                *(
                    (
                        x["report"],
                        f"{x['compared']:,}",
                        f"{x['agree']:,}",
                        "-" if x["fewest"] is None else str(x["fewest"]),
                    )
                    for x in reports
                    if "compared" in x
                ),
            ]
        ),
        "",
    ]


def main(arguments: list[str] | None = None) -> None:
    """Run plans that are not in the file yet, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plans", type=int, default=200)
    parser.add_argument("--file", type=Path, default=LINES)
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    chosen = parser.parse_args(arguments)
    lines = read_lines(chosen.file)
    end = time.monotonic() + 60 * chosen.minutes
    for make, known in _left(lines, chosen.plans):
        if time.monotonic() > end:
            break
        lines.append(make(known))
        append_line(chosen.file, lines[-1])
    chosen.page.write_text(page(lines), encoding="utf-8")


def _left(
    lines: list[dict[str, Any]], plans: int
) -> Iterator[tuple[Callable[[Any], dict[str, Any]], Any]]:
    """Yield what is to be run: reports not in the lines, then plans until enough."""
    known = {line["report"] for line in lines if "report" in line}
    yield from ((run_kind, name) for name in KINDS if name not in known)
    seeds = (line["seed"] for line in lines if "seed" in line)
    seed = max(seeds, default=-1)
    while sum("seed" in x and x["outcome"] != "refused" for x in lines) < plans:
        seed += 1
        yield run, seed


if __name__ == "__main__":
    main()
