"""Run the experiments of the source papers: ``python -m validation.sources``.

Finished runs stay in ``sources.jsonl``; an interrupted study goes on there. The data go
into ``.venv/sources``. ``--quick`` leaves out data sets of over 1000 cases.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from pycompare.base.errors import InputError
from pycompare.base.parallel.progress import Progress, on_stderr
from validation.sources import (
    garcia_herrera_2008,
    keel,
    maloof_2002,
    page,
    yildiz_2011,
    yildiz_page,
)

FOLDER = Path(__file__).parents[2] / ".venv" / "sources"
FINISHED = Path(__file__).parents[1] / "sources.jsonl"
PAGE = Path(__file__).parents[1] / "SOURCES.md"


def main() -> int:
    """Run what is not finished, and write the page."""
    parser = argparse.ArgumentParser(prog="validation.sources", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="at most 1000 cases")
    parser.add_argument("--data", type=Path, default=FOLDER, help="folder of the data")
    asked = parser.parse_args()
    left = list(_left(asked.quick, asked.data))
    try:
        if left:
            keel.require_files(asked.data)
        progress = Progress(len(left), "runs", on_stderr("sources"))
        for run_one in left:
            run_one()
            progress.step()
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    runs = yildiz_2011.finished(FINISHED)
    mixtures = maloof_2002.finished(FINISHED)
    text = page.page(garcia_herrera_2008.finished(FINISHED), runs, mixtures)
    PAGE.write_text(text, encoding="utf-8")
    yildiz_page.draw(runs, PAGE.parent)
    return 0


def _left(quick: bool, folder: Path) -> Iterator[Callable[[], None]]:
    """Yield what is left to run."""
    for known, name in garcia_herrera_2008.left(FINISHED, quick):
        yield partial(garcia_herrera_2008.run_one, known, name, folder, FINISHED)
    for dataset, division in yildiz_2011.left(FINISHED, quick):
        yield partial(yildiz_2011.run_one, dataset, division, folder, FINISHED)
    for condition in maloof_2002.left(FINISHED):
        yield partial(maloof_2002.run_one, condition, FINISHED)


if __name__ == "__main__":
    sys.exit(main())
