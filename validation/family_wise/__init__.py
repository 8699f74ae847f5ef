"""Family-wise error and power of the tests behind every conclusion, on known truth.

``python -m validation.family_wise [--again] [--runs N] [--rows PATTERN]
[--folder DIR]``; the last part but one of ``make study``. It runs the rows whose
decisions by the current code differ from the stored ones (``versions``), and with
``--again`` all. Scenarios (``scenarios``) are
a truth (``truths``, ``designs``) on a number of blocks and algorithms; methods
(``methods``, ``folds``) decide about many runs at once, or call the public functions
(``public``). The number of runs follows from method and size (``Method.part``). The
page (``page``) has tables from which defaults can be read off (``defaults``).
``tests/test_family_wise.py`` holds their decisions against the public functions, run by
run. A finished chunk is a line in the folder: an interrupted study resumes where it
stopped.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from . import engine, page, versions
from .scenarios import SCENARIOS, Scenario


def main() -> None:
    """Run the study and print what it found."""
    parser = argparse.ArgumentParser(
        prog="python -m validation.family_wise",
        description="Family-wise error and power on known truth.",
    )
    parser.add_argument("--folder", type=Path, default=Path("study/family_wise"))
    parser.add_argument(
        "--runs",
        type=int,
        default=engine.RUNS,
        help=f"runs of each scenario, a multiple of {engine.CHUNKS}",
    )
    parser.add_argument(
        "--rows",
        metavar="PATTERN",
        default="",
        help="run only scenarios whose name matches this regular expression",
    )
    parser.add_argument(
        "--again",
        action="store_true",
        help="run all rows, those that are decided as when they were stored too",
    )
    given = parser.parse_args()
    if given.runs < engine.CHUNKS or given.runs % engine.CHUNKS:
        parser.error(f"--runs {given.runs}: give a multiple of {engine.CHUNKS}")
    chosen = [s for s in SCENARIOS if re.search(given.rows, s.name)]
    if not chosen:
        parser.error(f"--rows {given.rows}: no scenario has such a name")
    try:
        found = run(given.folder, given.runs, chosen, again=given.again)
        print(found, flush=True)
    except KeyboardInterrupt:
        sys.exit("Interrupted; the same command resumes.")


def run(
    folder: Path,
    runs: int = engine.RUNS,
    scenarios: tuple[Scenario, ...] | list[Scenario] = SCENARIOS,
    *,
    again: bool = False,
) -> str:
    """Run what is not done, and return the summary.

    Page and JSON are written of all scenarios; some alone are returned as text.
    """
    path = folder / f"family-wise-{runs}.jsonl"
    kept = {} if again else versions.kept(scenarios, page.JSON, report)
    engine.run(scenarios, path, runs, report, kept)
    if len(scenarios) < len(SCENARIOS):
        return page.text(scenarios, path, kept)
    return page.write(SCENARIOS, path, kept)


def report(text: str) -> None:
    """Print the progress."""
    print(f"family-wise error: {text}", flush=True)
