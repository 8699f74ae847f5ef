"""The study of gates: what it shows, the page that it wrote, a seeded sample."""

import json

import numpy as np
import pytest
from scipy import stats

from pycompare.kernels.matched_pairs import least_units, score_statistic
from pycompare.methods.cases.loss_tests import fewest_units
from validation import gate_study as study

STORED = json.loads(study.STORED.read_text(encoding="utf-8"))
FOUND = STORED["laws"]


def test_the_page_is_what_the_study_stored():
    assert study.PAGE.read_text(encoding="utf-8") == study.page(STORED)
    assert {*FOUND} == {*study.LAWS}


@pytest.mark.parametrize("name", study.LAWS)
def test_false_verdicts_are_at_most_the_level(name):
    law = study.LAWS[name]
    largest = study.bound(law)  # of exact and bounded tests
    if law.options.get("decided_by") == "t":
        largest = 0.2
    elif "answers," in name or "texts" in name:  # the effective size: the page says so
        largest = 0.05
    for said in law.false.split(", "):
        assert FOUND[name]["gate"][said] <= largest


def test_passes_are_as_frequent_as_power_predicts():
    sized = [name for name, law in study.LAWS.items() if law.sized]
    assert len(sized) == 4
    for name in sized:
        law = study.LAWS[name]
        p = study.predicted(law)
        error = np.sqrt(p * (1 - p) / law.runs)
        # The exact test has the power of the score test within a hundredth.
        assert abs(FOUND[name]["gate"]["pass"] - p) <= 3 * error + 0.01, name


@pytest.mark.parametrize(
    ("n", "margin", "level", "passes"),
    [
        (72, 0.05, 0.025, False),
        (73, 0.05, 0.025, True),
        (64, 0.1, 0.00125, False),
        (73, 0.1, 0.00125, False),
        (74, 0.1, 0.00125, True),
    ],
)
def test_smallest_sizes_by_all_tables(n, margin, level, passes):
    """Equal answers to n items: their p-value over all tables of a trinomial law."""
    wins, losses = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    there = wins + losses <= n
    wins, losses = wins[there], losses[there]
    z = score_statistic(wins, losses, n, -margin)
    far = z >= score_statistic(0, 0, n, -margin) - 1e-9
    gamma = level / 1000
    high = stats.beta.isf(gamma / 2, 1, n)  # Clopper & Pearson, no discordant item
    largest = 0.0
    for share in np.linspace(margin, high, 300):
        chances = [(share - margin) / 2, (share + margin) / 2, 1 - share]
        counts = np.stack([wins, losses, n - wins - losses], axis=1)[far]
        largest = max(largest, stats.multinomial.pmf(counts, n, chances).sum())
    assert (largest + gamma <= level) == passes
    assert (fewest_units("exact", margin, 1.0, level) <= n) == passes
    assert n >= least_units(margin, level)


def test_sizes_of_the_page_are_enumerated():
    for key, size in STORED["sizes"].items():
        margin, level = map(float, key.split(", "))
        assert size["least"] == least_units(margin, level)
        assert size["exact"] >= size["least"]
        above = size["p"] + level / 1000 > level
        assert above == (size["exact"] > size["least"])
    margin, level = 0.1, 0.00125
    assert study.smallest(margin, level) == STORED["sizes"][f"{margin}, {level}"]


@pytest.mark.parametrize("kind", study.KINDS)
def test_no_limit_contradicts_a_decision(kind):
    assert STORED["contradictions"][kind] == 0
    assert study.contradicted(kind, 25) == 0


def test_rules_without_a_family_fail_among_slices():
    ten = FOUND["2000 items, 10 slices, all at their margins 0.05"]
    assert ten["95% t intervals"]["fail"] > 0.05 > ten["gate"]["fail"]
    one = FOUND["500 items, one answer, 8% discordant, loss 0.05"]
    assert one["estimate"]["pass"] > 0.3


def test_a_seeded_sample_of_the_study():
    law = study.LAWS["100 items, one answer, 8% discordant, loss 0.05"]
    said = []
    for run in range(300):
        rng = np.random.default_rng((1, run))
        said.append(study.verdict(law.draw(rng), law))
    share = said.count("pass") / len(said)
    assert share <= 0.025 + 3 * np.sqrt(0.025 * 0.975 / len(said))
