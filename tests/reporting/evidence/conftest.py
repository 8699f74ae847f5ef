"""Reports that are written once for all tests of this folder."""

from __future__ import annotations

import pytest

from tests.reporting.evidence.reports import MAKERS


@pytest.fixture(scope="session")
def reports(tmp_path_factory):
    """Return the folder of a kind of report; it is written at its first use."""
    made = {}

    def report(name):
        if name not in made:
            made[name] = MAKERS[name](tmp_path_factory.mktemp(name) / "report")
        return made[name]

    return report
