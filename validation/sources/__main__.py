"""Run the experiments of the source papers: ``python -m validation.sources``.

Finished runs stay in ``sources.jsonl``; an interrupted study goes on there. The data go
into ``.venv/sources``. ``--quick`` leaves out data sets of over 1000 cases.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pycompare.base.errors import InputError
from pycompare.base.parallel.progress import Progress, on_stderr
from validation.sources import garcia_herrera_2008, keel, page

FOLDER = Path(__file__).parents[2] / ".venv" / "sources"
FINISHED = Path(__file__).parents[1] / "sources.jsonl"
PAGE = Path(__file__).parents[1] / "SOURCES.md"


def main() -> int:
    """Run what is not finished, and write the page."""
    parser = argparse.ArgumentParser(prog="validation.sources", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="at most 1000 cases")
    parser.add_argument("--data", type=Path, default=FOLDER, help="folder of the data")
    asked = parser.parse_args()
    left = list(garcia_herrera_2008.left(FINISHED, asked.quick))
    try:
        if left:
            keel.require_files(asked.data)
        progress = Progress(len(left), "runs", on_stderr("sources"))
        for known, name in left:
            garcia_herrera_2008.run_one(known, name, asked.data, FINISHED)
            progress.step()
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    PAGE.write_text(page.page(garcia_herrera_2008.finished(FINISHED)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
