"""The study of typical differences: its stored rows, and cells run again."""

import math

import numpy as np
import pytest

import pycompare as pc
from pycompare.reporting.analyses.multiple_datasets import LARGEST_ERRORS
from pycompare.results.guarantees import ELSEWHERE, guarantee
from validation import typical_differences as study

ROWS = study.stored()
KEYS = {
    ("step-down-flips", False): "signed-ranks/step-down-flips",
    ("step-down-flips", True): "signed-ranks/step-down-flips/control",
    ("closed-permutation", False): "signed-ranks/closed-permutation",
    ("bergmann-hommel", False): "signed-ranks/exchangeable/bergmann-hommel",
    ("holm", False): "two/wilcoxon/holm",
    ("holm", True): "two/wilcoxon/holm/control",
}


def test_the_page_is_made_of_the_stored_rows():
    assert study.PAGE.read_text(encoding="utf-8") == study.page(ROWS)


def test_every_promised_error_set_of_ranks_and_interval_holds():
    promised = [row for row in ROWS if row.promised]
    assert len(promised) > 300
    for row in promised:
        assert row.false <= row.bound, row
        assert math.isnan(row.ranks) or row.ranks >= 1 - row.bound, row
    symmetric = [row for row in ROWS if "skewed" not in row.law]
    for row in symmetric:
        assert math.isnan(row.covered) or row.covered >= 0.95 - 3.5 * math.sqrt(
            0.05 * 0.95 / row.runs
        ), row


def test_every_claim_of_the_ledger_has_rows_that_are_promised():
    control = {one.name: one.control for one in study.METHODS}
    shown = {KEYS[row.adjust, control[row.method]] for row in ROWS if row.promised}
    claimed = {key for key, page in ELSEWHERE.items() if study.PAGE.name in page}
    assert claimed <= shown
    assert all(guarantee(key).claimed for key in shown)


def test_what_needs_exchangeability_fails_where_a_hub_differs_from_none():
    """Bergmann-Hommel is refused for typical differences without that assumption."""
    star = [row for row in ROWS if row.law.startswith("star")]
    worst = max(row.false for row in star if row.method == "Bergmann-Hommel")
    holm = max(row.false for row in star if row.method == "Holm")
    assert worst > 0.1 > 0.06 > holm


@pytest.mark.parametrize("law", study.LAWS, ids=lambda law: law.name)
def test_a_cell_run_again_is_near_its_stored_rows(law):
    n, a = 15, 5
    rows = study.cell(law, n, a, 60, study.METHODS[1:2])
    [row] = rows
    [kept] = [
        one
        for one in ROWS
        if (one.law, one.blocks, one.algorithms, one.method) == (law.name, n, a, "Holm")
    ]
    assert abs(row.false - kept.false) <= 4.5 * math.sqrt(0.06 * 0.94 / 60)


def test_the_signs_of_a_law_without_levels_are_those_of_a_large_sample():
    star = next(law for law in study.LAWS if law.name.startswith("star"))
    x = star.draw(np.random.default_rng(1), 600, 4)
    found = pc.signed_rank_pairs(study.scores_of(x), adjust="none").square("estimate")
    signs = star.signs(4)
    assert (signs[0] == 0).all()
    clear = signs != 0
    assert (np.sign(found)[clear] == signs[clear]).all()


def test_no_algorithm_differs_from_the_last_where_rows_are_moved():
    """The population is the table: whoever is drawn, its pseudomedian is 0."""
    for name in (study.EMBEDDINGS, study.TIME_SERIES):
        x = study._about_the_last(name, 5)
        middles = [study._pseudomedian(x[:, j] - x[:, -1]) for j in range(5)]
        assert np.abs(middles).max() < 1e-15
        as_they_are = study._signs_of_rows(5, name, study._spread)
        assert (as_they_are[np.triu_indices(5, 1)] == -1).all()


@pytest.mark.parametrize("name", LARGEST_ERRORS)
def test_pages_carry_the_largest_error_where_a_condition_fails(name):
    found = [row.false for row in ROWS if row.adjust == name and not row.promised]
    assert LARGEST_ERRORS[name][0] == pytest.approx(max(found), abs=6e-4)
