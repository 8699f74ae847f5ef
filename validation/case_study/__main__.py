"""Run the study of tests over cases and write ``CASES.md``.

``python -m validation.case_study [--runs N] [--rank-runs K] [--folder DIR]``. A
finished row is a line in the folder, so an interrupted run resumes where it stopped.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from .page import PAGE, whole_page
from .rows import run

RUNS = 600
RANK_RUNS = 220


def main() -> None:
    """Run all rows and write the page."""
    parser = argparse.ArgumentParser(
        prog="python -m validation.case_study", description=__doc__
    )
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--rank-runs", type=int, default=RANK_RUNS)
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--folder", type=Path, default=Path("study") / "cases")
    chosen = parser.parse_args()
    found = run(chosen.folder, chosen.runs, chosen.rank_runs)
    text = whole_page(found, chosen.runs, chosen.rank_runs)
    chosen.page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
