"""The study of all pairs of modalities with few readers."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

import pycompare as pc
from pycompare.methods.multireader.margins import margin_pairs
from pycompare.results.guarantees import guarantee_of
from pycompare.sizes.simulation import reader_pairs


def alike(t, reader):
    """Modalities that are all alike; readers, and readers by modality, vary."""
    return pc.RoeMetz(
        separation=(1.5,) * t,
        reader=reader,
        modality_reader=reader,
        case=0.3,
        modality_case=0.3,
        reader_case=0.2,
        error=0.2,
    )


@pytest.mark.parametrize(("t", "r"), [(3, 3), (4, 2)])
def test_its_p_values_are_those_of_mrmc_in_three_scopes(t, r):
    model = alike(t, reader=0.3)
    truth, x = model.sample(
        np.random.default_rng(3), n_readers=r, n_positive=20, n_negative=20, trials=3
    )
    p = reader_pairs.pair_p_values(truth, x)
    for i, values in enumerate(x):
        ratings = pc.Ratings(
            values=values,
            truth=truth,
            modalities=tuple(map(str, range(t))),
            readers=tuple(map(str, range(r))),
            cases=tuple(map(str, range(40))),
        )
        for name, pair_tests in (
            (reader_pairs.HILLIS, "published"),
            (reader_pairs.LARGEST, "largest"),
        ):
            wanted = pc.mrmc(ratings, pair_tests=pair_tests).table["p_value"]
            np.testing.assert_allclose(p[name][i], wanted, rtol=1e-9)


def test_three_readers_of_eight_modalities_need_the_largest_of_three():
    study = reader_pairs.ReaderPairs()
    made = study.run(
        "8 modalities x 3 readers, readers very unlike", np.random.default_rng(1), 400
    )
    assert made[reader_pairs.HILLIS].mean() > 0.15
    assert made[reader_pairs.LARGEST].mean() < 0.05


STORED = Path(__file__).parents[3] / "validation/simulation_results/reader-pairs.json"


ROWS = json.loads(STORED.read_text(encoding="utf-8"))["table"]
BOUND = 0.05 + 3 * math.sqrt(0.05 * 0.95 / ROWS[0]["trials"])


def largest_of_study(t, r):
    """Return the largest error of the own error with two, or with more modalities."""
    return max(
        row["estimate"]
        for row in ROWS
        if row["statistic"] == reader_pairs.HILLIS
        and row["readers"] == r
        and (row["modalities"] == 2) == (t == 2)
    )


@pytest.mark.parametrize("r", [2, 3, 4, 5, 6, 10])
@pytest.mark.parametrize("t", [2, 4])
def test_notes_and_claim_of_published_pairs_follow_the_study(t, r):
    ratings = alike(t, reader=0.03).draw(
        n_readers=r, n_positive=30, n_negative=30, seed=1
    )
    found = pc.mrmc(ratings, pair_tests="published")
    noted = [note for note in found.notes if "of simulated studies" in note]
    against = margin_pairs(found, margin=0.1, kind="equivalence", alpha=0.05)
    claims = [guarantee_of(found), guarantee_of(against)]
    if (t == 2 and r > 5) or largest_of_study(t, r) <= BOUND:
        assert not noted and all(claim.claimed for claim in claims)
        return
    [note] = noted
    assert f"up to {largest_of_study(t, r):.1%} of simulated studies" in note
    assert f"modalities x {r} readers" in note
    for claim in claims:
        assert not claim.claimed
        assert "not controlled" in claim.text and "few readers" in claim.brief(0.05)
    # The analysis of these cases takes no approximate degrees of freedom.
    fixed = pc.mrmc(ratings, cases="fixed")
    assert not any("of simulated studies" in note for note in fixed.notes)
    assert guarantee_of(fixed).claimed


def test_the_largest_of_three_is_claimed_with_two_readers_and_kept_in_the_study():
    ratings = alike(3, reader=0.03).draw(
        n_readers=2, n_positive=30, n_negative=30, seed=1
    )
    assert guarantee_of(pc.mrmc(ratings)).claimed
    largest = [r["estimate"] for r in ROWS if r["statistic"] == reader_pairs.LARGEST]
    assert len(largest) == 63 and max(largest) <= BOUND


def test_the_note_of_the_largest_of_three_has_the_largest_error_of_the_study():
    rows = json.loads(STORED.read_text(encoding="utf-8"))["table"]
    largest = max(
        row["estimate"] for row in rows if row["statistic"] == reader_pairs.LARGEST
    )
    ratings = alike(3, reader=0.03).draw(
        n_readers=4, n_positive=30, n_negative=30, seed=1
    )
    [note] = [note for note in pc.mrmc(ratings).notes if "largest of three" in note]
    assert f"in at most {largest:.1%} of studies" in note
