"""The study of challenges: what it shows, and its page."""

import json

from pycompare.results.guarantees import ELSEWHERE
from validation import challenges as study

ROWS = json.loads(study.STORED.read_text(encoding="utf-8"))


def shares(of, title):
    """Return one column of the rows that have it."""
    return {name: row[of][title] for name, row in ROWS.items() if title in row[of]}


def test_the_page_is_what_the_study_stored():
    assert study.PAGE.read_text(encoding="utf-8") == study.page(ROWS)
    assert {*ROWS} == {*study.LAWS}


def test_every_error_is_within_its_bound():
    rates = [rate for row in ROWS.values() for rate in row["errors"].values()]
    assert len(rates) > 30 and max(rates) <= study.bound()


def test_every_claim_of_the_ledger_has_its_column():
    claimed = {key for key in ELSEWHERE if key.startswith("weighted-ranks/")}
    assert claimed == {*study.KEYS}
    weighted = [name for name, law in study.LAWS.items() if len(law.cases) > 1]
    for title in study.KEYS.values():
        assert len([name for name in shares("errors", title) if name in weighted]) > 8


def test_sets_of_ranks_hold_and_resampled_ranks_do_not():
    assert min(shares("holds", study.SETS).values()) >= 1 - study.bound()
    equal = {n: s for n, s in shares("holds", study.RESAMPLED).items() if "equal" in n}
    assert max(equal.values()) < 0.3


def test_counts_of_tests_rank_equal_algorithms():
    assert shares("holds", study.COUNTS)["5 equal, 50 cases"] > 0.4
    assert shares("holds", study.HOLM)["10 in two groups, 200 cases"] > 0.4


def test_the_usual_share_of_the_winner_is_that_of_equal_algorithms():
    from pycompare.kernels.challenge import usual_share

    found = shares("holds", study.SHARE)
    assert abs(found["5 equal, 50 cases"] - usual_share(5)) < 0.03
    assert abs(found["10 equal, 50 cases"] - usual_share(10)) < 0.03
    assert abs(usual_share(2) - 0.75) < 0.01  # 1/2 + 1/4: two normal numbers agree


def test_a_law_is_simulated_again():
    name = "5 opposed in two tasks of 50"
    assert study.simulated(name, 3) == study.simulated(name, 3)
