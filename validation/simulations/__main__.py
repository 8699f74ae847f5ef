"""Run the simulation studies and write their pages.

``python -m validation.simulations [--only NAME] [--pages]``, a part of ``make study``.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pycompare.sizes.simulation.studies import STUDIES

from .pages import write_pages
from .runs import run


def main() -> None:
    """Run the studies, or only write the pages anew."""
    parser = argparse.ArgumentParser(
        prog="python -m validation.simulations", description=__doc__
    )
    parser.add_argument("--folder", type=Path, default=Path("study/simulations"))
    parser.add_argument("--only", choices=list(STUDIES))
    parser.add_argument("--pages", action="store_true", help="write the pages alone")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    try:
        told = write_pages() if given.pages else run(given.folder, given.only)
    except KeyboardInterrupt:
        sys.exit("Interrupted; the same command resumes.")
    print(told, flush=True)


if __name__ == "__main__":
    main()
