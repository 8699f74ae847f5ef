"""The simulation studies, run; finished ones are stored."""

from __future__ import annotations

import json
from pathlib import Path

import pycompare as pc
from pycompare.base.parallel.progress import on_stderr
from pycompare.sizes.simulation.studies import STUDIES
from validation.cells import at_work

from .pages import write_pages
from .parts import RESULTS

SEED = 2002
TRIALS = {"roe-metz": 1_000_000, "yildiz": 10_000}
"""Where the study's own number is not taken."""


def run(folder: Path, only: str | None = None) -> str:
    """Run what is not done, store the results, and write all pages."""
    for name, study in STUDIES.items():
        if only in (None, name):
            with at_work(name):
                found = pc.simulate(
                    study(),
                    trials=TRIALS.get(name),
                    seed=SEED,
                    keep=folder / name,
                    progress=on_stderr(name),
                )
            text = json.dumps(found.to_dict(), indent=1) + "\n"
            (RESULTS / f"{name}.json").write_text(text, encoding="utf-8")
    return write_pages()
