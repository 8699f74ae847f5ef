"""Reports that are written once for all tests of this folder, in all processes."""

from __future__ import annotations

import fcntl
import os

import pytest

from pycompare.base.environment import GIVEN_DATE
from tests.conftest import blank_drawings
from tests.reporting.evidence.reports import DATE, FOR_R, MAKERS


@pytest.fixture(scope="session")
def reports(tmp_path_factory):
    """Return the folder of a kind of report, its pictures blank, written at first use.

    Processes of one run share them: the first that needs a report writes it. A module
    that writes one of them again leaves its own pictures blank.
    """
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent

    def report(name):
        folder = base / f"report of {name}" / "report"
        with (
            (base / f"{name}.lock").open("w") as lock,
            pytest.MonkeyPatch.context() as m,
            blank_drawings(),
        ):
            fcntl.flock(lock, fcntl.LOCK_EX)
            m.setenv(GIVEN_DATE, DATE)
            return folder if folder.exists() else (MAKERS | FOR_R)[name](folder)

    return report


def dated(make, folder):
    """Write a report of a given date, so that it can be made again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(GIVEN_DATE, DATE)
        return make(folder)
