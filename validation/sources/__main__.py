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
from typing import Any

from pycompare.base.errors import InputError
from validation.cells import finish_cells
from validation.chunk_lines import append_line
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
    parser.add_argument("--without-orange", action="store_true", help="no CN2")
    parser.add_argument("--data", type=Path, default=FOLDER, help="folder of the data")
    asked = parser.parse_args()
    left = list(_left(asked.quick, not asked.without_orange, asked.data))
    try:
        if left:
            keel.require_files(asked.data)
        finish_cells(
            lambda run_one: run_one(),
            left,
            "sources",
            lambda _, line: append_line(FINISHED, line),
        )
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    runs = yildiz_2011.finished(FINISHED)
    mixtures = maloof_2002.finished(FINISHED)
    text = page.page(garcia_herrera_2008.finished(FINISHED), runs, mixtures)
    PAGE.write_text(text, encoding="utf-8")
    yildiz_page.draw(runs, PAGE.parent)
    return 0


def _left(
    quick: bool, orange: bool, folder: Path
) -> Iterator[Callable[[], dict[str, Any]]]:
    """Yield what is left to run."""
    for known, name in garcia_herrera_2008.left(FINISHED, quick):
        yield partial(garcia_herrera_2008.run_one, known, name, folder)
    of_orange = garcia_herrera_2008.left_of_orange(FINISHED) if orange else ()
    for known, name in of_orange:
        yield partial(garcia_herrera_2008.run_orange, known, name, folder)
    for dataset, division in yildiz_2011.left(FINISHED, quick):
        yield partial(yildiz_2011.run_one, dataset, division, folder)
    for condition in maloof_2002.left(FINISHED):
        yield partial(maloof_2002.run_one, condition)


if __name__ == "__main__":
    sys.exit(main())
