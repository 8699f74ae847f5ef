"""Random plans of which ``reproduce.R`` repeats every number that R computes.

``python -m validation.r_programs [--plans N] [--file FILE] [--minutes M]`` writes
``R_PROGRAMS.md``. Scores, labels and plans are those of ``validation.random_plans``; a
finished plan is one line of FILE, so an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pycompare as pc
from pycompare.errors import PyCompareError, ReferenceUnavailable
from pycompare.interop.r_program import program
from pycompare.reporting.evidence.cross_check import cross_check
from pycompare.reporting.evidence.reproduction import write_program
from pycompare.results import plain

from .chunk_lines import append_line, read_lines
from .random_plans import case

HERE = Path(__file__).parent
PAGE, LINES = HERE / "R_PROGRAMS.md", HERE / "r_programs.jsonl"
SCALES = (1.0, 1.0, 1.0, 1e-9, 1e9)
"""Units of the scores; squares of 1e300 overflow in R's functions."""
LONGEST = 300.0
"""Seconds that R has for one plan."""


def run(seed: int) -> dict[str, Any]:
    """Compare by a random plan, and let R repeat it."""
    make_scores, make_plan = case(seed, SCALES)
    try:
        scores = make_scores()
        found = pc.compare(scores, make_plan(scores))
    except PyCompareError:
        return {"seed": seed, "outcome": "refused"}
    with tempfile.TemporaryDirectory() as folder:
        results = plain(found.to_dict())
        write_program(program(found.results()), results, Path(folder))
        try:
            said = cross_check(Path(folder), LONGEST)
        except ReferenceUnavailable as error:
            return {"seed": seed, "outcome": "stopped", "differs": [str(error)[-200:]]}
    return {
        "seed": seed,
        "outcome": "agrees" if said.passed else "differs",
        "analysis": found.parts[0].analyses[0].kind,
        "algorithms": len(scores.algorithms),
        "blocks": len(scores.blocks),
        "agree": said.agree,
        "compared": said.compared,
        "fewest": min((d for d, _ in said.digits), default=None),
        "differs": list(said.differs[:20]),
    }


def page(lines: list[dict[str, Any]]) -> str:
    """Return the page of what was run."""
    outcomes = Counter(line["outcome"] for line in lines)
    made = [line for line in lines if "compared" in line]
    planned = len(lines) - outcomes["refused"]
    agree, compared = (sum(x[key] for x in made) for key in ("agree", "compared"))
    rows = [
        f"| {kind} | {len(of)} | {sum(x['outcome'] == 'agrees' for x in of)} "
        f"| {sum(x['compared'] for x in of):,} | {sum(x['agree'] for x in of):,} |"
        for kind in sorted({line["analysis"] for line in made})
        for of in [[line for line in made if line["analysis"] == kind]]
    ]
    open_ones = [
        f"- seed {x['seed']}: {x['compared'] - x['agree']} of {x['compared']} numbers; "
        f"first `{x['differs'][0] if x['differs'] else '-'}`"
        for x in made
        if x["outcome"] == "differs"
    ]
    stopped = [
        f"- seed {x['seed']}: {' '.join(x['differs'][0].split())}"
        for x in lines
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
            "| analysis | plans | that agree | numbers compared | that agree |",
            "|---|---|---|---|---|",
            *rows,
            "",
            *(["## Plans that differ", "", *open_ones, ""] if open_ones else []),
            *(["## Programs that did not end", "", *stopped, ""] if stopped else []),
        ]
    )


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
    seed = max((line["seed"] for line in lines), default=-1)
    while sum(line["outcome"] != "refused" for line in lines) < chosen.plans:
        if time.monotonic() > end:
            break
        seed += 1
        lines.append(run(seed))
        append_line(chosen.file, lines[-1])
    chosen.page.write_text(page(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
