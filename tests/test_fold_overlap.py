"""The study of overlap terms with real learners: its data, tests and counts."""

import numpy as np
import pytest

from validation import fold_overlap

FOUR = "4 of 10 features"


@pytest.mark.parametrize("learner", fold_overlap.LEARNERS)
def test_both_learners_have_one_expectation_and_their_splits_are_seeded(learner):
    draws = [
        fold_overlap.differences(learner, FOUR, 60, 3, 2, np.random.default_rng(seed))
        for seed in (1, 1, 2)
    ]
    assert draws[0].shape == (6,) and np.array_equal(draws[0], draws[1])
    assert not np.array_equal(draws[0], draws[2]) and np.abs(draws[0]).max() > 0


def test_protocols_have_the_terms_of_plans():
    terms = {one.name: one.enlarged() for one in fold_overlap.PROTOCOLS}
    assert terms == pytest.approx(
        {
            "10 x 10-fold": 2.25,
            "single 10-fold": 1.75,
            "10 x 5-fold": 1.8,
            "single 5-fold": 1.25,
            "10 x 3-fold": 1.25,
            "single 3-fold": 1.25,
        }
    )


def test_the_published_test_of_stumps_rejects_too_often_the_enlarged_less_often():
    rng = np.random.default_rng(8)
    counts = np.zeros(2, int)
    for _ in range(30):
        d = fold_overlap.differences("stump", FOUR, 60, 10, 10, rng)
        counts += [fold_overlap.rejects(d, 10, c) for c in (1.0, 2.25)]
    published, enlarged = counts
    # Of 30, 1.5 are nominal: 6 or more have a probability of 0.003.
    assert published >= 6 and enlarged < published


def test_a_chunk_is_seeded_and_its_conclusion_has_every_cell():
    small = {"runs": 1, "learners": ("naive Bayes",), "cases": (60,)}
    made = fold_overlap.chunk(3, **small)
    assert made == fold_overlap.chunk(3, **small)
    assert len(made["rejections"]) == 2 * 12
    text = fold_overlap.conclude([made, made])
    assert text.startswith("2 runs each") and "largest, real learners, 10 x 3" in text
