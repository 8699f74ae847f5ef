"""Training sets with one test set, and training sets that share no case."""

import json
import re

import numpy as np
import pytest

import pycompare as pc
from tests.conftest import wide
from tests.designs.test_shared_test_set import trained

pytestmark = pytest.mark.usefixtures("blank_pictures")

_CLAIM = re.compile(
    r"significantly|p [=<]|Equivalent|non-inferior to|guarantee|\bCI\b|exact if",
    re.IGNORECASE,
)


@pytest.mark.parametrize("scope", ["both", "training-sets"])
@pytest.mark.parametrize(
    "more", [{}, {"margin": 0.3, "hypothesis": "equivalence"}, {"control": "A1"}]
)
def test_overlapping_training_sets_have_estimates_and_no_claim(scope, more, tmp_path):
    plan = pc.Plan(metrics=("auc",), generalise=scope, **more)
    found = pc.compare(trained(), plan)
    [analysis] = found.analyses
    assert analysis.decisions == () and analysis.within_margin is None
    means = trained().measure("auc").values.mean(axis=0)[:, 0]
    assert sorted(analysis.estimates.means.values()) == pytest.approx(sorted(means))
    text = found.summary()
    assert text.startswith("The training sets overlap (protocol = held-out)")
    assert "--protocol disjoint" in text
    folder = pc.report(found, tmp_path / "out", formats=("md",))
    assert "0.10 to 0.29" in (folder / "report.md").read_text()
    for page in (text, (folder / "report.md").read_text()):
        body = page.split("- function", 1)[0]
        assert not _CLAIM.search(body), _CLAIM.search(body)
    held = json.loads((folder / "results.json").read_text())
    assert "p_value" not in json.dumps(held["analyses"])


def test_one_family_of_estimates_decides_nothing():
    keys = {"metrics": ("auc", "error"), "generalise": "both", "family": "all"}
    found = pc.compare(trained(), pc.Plan(**keys))
    assert found.families == () and all(a.decisions == () for a in found.analyses)


def test_these_classifiers_stay_and_show_no_other_scope(tmp_path):
    plan = pc.Plan(
        metrics=("auc",), generalise="cases", margin=0.2, hypothesis="equivalence"
    )
    found = pc.compare(trained(), plan)
    [analysis] = found.analyses
    assert list(analysis.scopes()) == ["cases"] and analysis.margins == {}
    assert len(analysis.decisions) == 3 and analysis.within_margin is not None
    page = (pc.report(found, tmp_path / "out") / "report.html").read_text()
    assert "Three scopes" not in page and "new training sets and" not in page
    assert "Nothing is claimed about new training sets" in page


X = np.random.default_rng(3).normal([0, 0.2, 2.5], size=(9, 3))


def test_disjoint_training_sets_are_compared_by_plain_paired_t_tests(tmp_path):
    plan = pc.Plan(blocks="folds", protocol="disjoint")
    found = pc.compare(wide(X), plan)
    [analysis] = found.analyses
    alone = pc.paired_t_pairs(wide(X), adjust="holm", alpha=0.05)
    assert analysis.decisive.table.equals(alone.table)
    assert any(made.rejected for made in analysis.decisions)
    folder = pc.report(found, tmp_path / "out", formats=("md",))
    page = (folder / "report.md").read_text().split("- function", 1)[0]
    assert "share no case" in page and "Folds share training data" not in page
    assert "Corrected resampled" not in page and "orrected for shared" not in page
    assert "exact if folds share no training data and differences are normal" in page


def test_two_algorithms_on_disjoint_training_sets_have_the_plain_paired_t_test():
    two = wide(X[:, ::2])
    [analysis] = pc.compare(two, pc.Plan(blocks="folds", protocol="disjoint")).analyses
    turned = pc.paired_t(two, algorithms=analysis.test.blocks.algorithms)
    assert analysis.test.p_value == turned.p_value and analysis.uncorrected is None


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"n_train": 9, "n_test": 1}, "share none: leave the sizes out"),
        ({"n_folds": 9}, "one repetition of a cross-validation"),
        ({"overlap": 1}, "give n_train"),
        ({"blocks": "folds-of-datasets"}, "training sets of one data set"),
        ({"blocks": "datasets"}, "independent data sets"),
    ],
)
def test_what_disjoint_training_sets_have_no_use_for_is_refused(keys, message):
    with pytest.raises(pc.PlanError, match=message):
        pc.Plan(**{"blocks": "folds", "protocol": "disjoint", **keys})
