"""Runs one batch in this process: ``python -m validation.mutation.batch FOLDER``.

FOLDER holds ``work.json``; ``lines.json`` is written there. Nothing of the project is
imported before pytest collects its tests, so that what an import runs is followed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from . import runs
from .children import end_with_parent
from .mutants import Mutant


def main(folder: Path) -> int:
    """Try mutants, or run test files once and write down which lines they run."""
    end_with_parent()
    work = json.loads((folder / "work.json").read_text())
    mutants = [Mutant.of_json(one) for one in work["mutants"]]
    root = Path(work["root"])
    held = work["files"], mutants, work["executed"], work["free"]
    session = runs.Session(root, *held)
    options = [*work["options"], "--rootdir", str(root), *work["tests"]]
    status = int(pytest.main(options, [session]))
    (folder / "lines.json").write_text(json.dumps(session.lines))
    return 0 if status == pytest.ExitCode.NO_TESTS_COLLECTED else status


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
