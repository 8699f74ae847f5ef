import numpy as np
import pytest

import pycompare as pc
from pycompare.base.formatting.counts import (
    are,
    counted,
    degrees_of_freedom,
    have,
    were,
)
from tests.conftest import wide


@pytest.mark.parametrize("n", [0, 1, 2])
def test_one_is_singular_and_all_else_plural(n):
    one = n == 1
    assert counted(n, "block") == f"{n} block{'' if one else 's'}"
    assert degrees_of_freedom(n).startswith(f"{n} degree{' ' if one else 's '}")
    verbs = ("is", "has", "was") if one else ("are", "have", "were")
    assert (are(n), have(n), were(n)) == verbs


def test_a_number_of_freedoms_that_is_not_whole_is_rounded():
    assert degrees_of_freedom(2.718281) == "2.72 degrees of freedom"


def gappy(count):
    x = np.random.default_rng(1).normal(size=(6, 3))
    x.ravel()[: 4 * count : 4] = np.nan
    return wide(x, missing="model")


@pytest.mark.parametrize(("count", "verb"), [(1, "is"), (2, "are")])
def test_missing_cells_are_told_in_grammar(count, verb):
    told = f"{count} of 18 cells {verb} missing"
    assert pc.anova(gappy(count)).notes[0].startswith(told)


@pytest.mark.usefixtures("blank_pictures_here")
def test_one_dropped_block_is_told_in_grammar(tmp_path):
    x = np.random.default_rng(1).normal(size=(6, 3))
    x[2, 1] = np.nan
    plan = pc.Plan(blocks="folds", protocol="held-out")
    out = pc.report(pc.compare(wide(x, missing="drop-block"), plan), tmp_path / "out")
    page = (out / "report.html").read_text()
    assert "1 block with missing cells was dropped" in page
    assert "1 cell was missing" in page


def test_one_degree_of_freedom_is_told_in_grammar():
    from pycompare import plotting

    ax = plotting.residuals(pc.anova(wide([[1.0, 0.3], [0.1, 1.0]])))
    shown = " ".join(
        text.get_text() for text in ax.figure.findobj() if hasattr(text, "get_text")
    )
    assert "1 degree of freedom." in " ".join(shown.split())
