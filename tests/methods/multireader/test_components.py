from itertools import combinations, product

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.errors import InputError
from pycompare.base.testing import assert_digits
from pycompare.kernels import one_shot, placements
from tests.methods.multireader.readers import made, simulated
from tests.methods.multireader.test_designs import clustered, own_readers


def estimates(found, of="all"):
    table = found.table.query("of == @of").set_index("component")
    return table["estimate"]


def test_those_of_or_and_dbm_are_the_ones_of_mrmc():
    ratings = simulated(t=3, r=4)
    for method in ("or", "dbm"):
        found = estimates(pc.variance_components(ratings, method=method))
        wanted = pc.mrmc(ratings, method=method).components
        assert list(found.index) == list(wanted["component"])
        assert_digits(found, wanted["estimate"], at_least=12)


def scores(truth, x):
    """The score of each reader, positive and negative case."""
    d = x[:, truth, None] - x[:, None, ~truth]
    return np.sign(d) / 2 + 0.5


def by_enumeration(psi):
    """Covariances of scores that share exactly some indices, by listing all pairs."""
    cells = list(product(*map(range, psi.shape)))
    sums, counts = {}, {}
    for a, b in product(cells, cells):
        common = tuple(u == v for u, v in zip(a, b, strict=True))
        sums[common] = sums.get(common, 0.0) + psi[a] * psi[b]
        counts[common] = counts.get(common, 0) + 1
    mean = {common: sums[common] / counts[common] for common in sums}
    return {c: m - mean[(False,) * 3] for c, m in mean.items()}


@pytest.mark.parametrize("difference", [False, True])
def test_one_shot_components_by_listing_all_pairs_of_scores(difference):
    ratings = simulated(t=2, r=3, n=7, grid=1.0)
    truth, x = ratings.truth, ratings.values
    psi = scores(truth, x[0]) - (scores(truth, x[1]) if difference else 0.0)
    second = x[1] if difference else None
    mean, found = one_shot.score_components(truth, x[0], second)
    assert_digits(mean, psi.mean(), at_least=12)
    covariance = by_enumeration(psi)
    for shared in one_shot.SHARED:
        # The covariance of scores that share indices is the sum of the components.
        total = sum(v for k, v in found.items() if set(k) <= set(shared))
        common = tuple(letter in shared for letter in "rpq")
        np.testing.assert_allclose(total, covariance[common], atol=1e-13)


def test_one_shot_components_give_the_unfloored_variance_of_a_difference():
    ratings = simulated(t=2, r=5, n=40)
    found = pc.variance_components(ratings, method="one-shot")
    parts = estimates(found, "M1 - M2")
    sizes = {"reader": 5, "positive case": 20, "negative case": 20}
    total = sum(
        value / np.prod([n for name, n in sizes.items() if name in component])
        for component, value in parts.items()
    )
    mrmc = pc.mrmc(ratings, covariance="unbiased")
    c = mrmc.components.set_index("component")["estimate"]
    ms = mrmc.anova.set_index("term")["mean_sq"]["TR"]
    wanted = 2 / 5 * (ms + 5 * (c["Cov2"] - c["Cov3"]))
    assert_digits(total, wanted, at_least=10)
    own = estimates(found, "M1")
    # A modality's own variance, likewise.
    total = sum(
        value / np.prod([n for name, n in sizes.items() if name in component])
        for component, value in own.items()
    )
    square = mrmc.covariance.loc["M1", "M1"].to_numpy()
    cov2 = square[~np.eye(5, dtype=bool)].mean()
    areas = placements.auc(ratings.truth, ratings.values[0])
    assert_digits(total, areas.var(ddof=1) / 5 + cov2, at_least=10)


def test_large_tables_are_summed_in_parts(monkeypatch):
    ratings = simulated(t=2, r=3, n=30)
    whole = one_shot.score_components(ratings.truth, *ratings.values)
    monkeypatch.setattr(one_shot, "AT_ONCE", 100)
    parts = one_shot.score_components(ratings.truth, *ratings.values)
    assert_digits(list(parts[1].values()), list(whole[1].values()), at_least=10)


def test_components_of_the_multiple_bootstrap():
    ratings = simulated(t=2, r=4, n=60)
    options = {"method": "bootstrap", "seed": 3, "resamples": 2000}
    one, two = (pc.variance_components(ratings, **options) for _ in range(2))
    assert one.table.equals(two.table)
    assert (one.seed, one.resamples) == (3, 2000)
    b = estimates(one)
    found = pc.mrmc(ratings, covariance="bootstrap", seed=3, resamples=2000)
    c = found.components.set_index("component")["estimate"]
    # The same two experiments, written as Obuchowski and Rockette's components.
    assert_digits(b["reader"], c["reader"], at_least=9)
    assert_digits(b["modality x reader"], c["modality x reader"], at_least=9)
    total = b[["case", "reader x case", "modality x case", "error"]].sum()
    assert_digits(total, c["error"], at_least=11)
    assert_digits(b[["case", "reader x case"]].sum(), c["Cov1"], at_least=11)
    jackknife = estimates(pc.variance_components(ratings))
    np.testing.assert_allclose(total, jackknife["error"], rtol=0.15)


def test_negative_estimates_are_named():
    for seed in range(30):
        ratings = simulated(t=2, r=3, n=16, seed=seed)
        found = pc.variance_components(ratings, method="one-shot")
        below = found.table[found.table["estimate"] < 0]
        floored = found.table["floored"]
        assert (floored == np.maximum(found.table["estimate"], 0)).all()
        if len(below):
            [note] = found.notes
            assert all(component in note for component in below["component"])
            return
    raise AssertionError("no case has a negative component")


def test_expected_components_of_roe_and_metzs_model_are_those_of_many_studies():
    model = pc.RoeMetz(
        separation=(1.0, 1.5, 1.2),
        reader=0.2,
        modality_reader=0.1,
        case=0.3,
        modality_case=0.15,
        reader_case=0.25,
        error=0.4,
        spread=1.3,
    )
    from pycompare.kernels import pseudovalues, reader_moments

    trials, t, r, n = 800, 3, 3, 18
    truth, x = model.sample(
        np.random.default_rng(0),
        n_readers=r,
        n_positive=8,
        n_negative=10,
        trials=trials,
    )
    theta = placements.auc(truth, x)
    rows = x.reshape(trials, t * r, n)
    covariance = pseudovalues.unbiased_covariance(truth, rows)
    shape = (trials, t, r, t, r)
    c = reader_moments.components(
        reader_moments.moments(theta, covariance.reshape(shape))
    )
    found = [c.reader, c.interaction, c.error, c.cov1, c.cov2, c.cov3]
    expected = model.components(8, 10)
    for (name, wanted), values in zip(expected.items(), found, strict=True):
        error = values.std() / np.sqrt(trials)
        assert abs(values.mean() - wanted) < 4 * error, name


def test_bivariate_normal_tails():
    from scipy import stats

    from pycompare.kernels.bivariate_normal import both_below

    for h, k in combinations([-1.3, -0.2, 0.0, 0.7, 2.1], 2):
        for rho in (0.0, 0.4, 0.95):
            square = [[1, rho], [rho, 1]]
            wanted = stats.multivariate_normal.cdf([h, k], cov=square)
            assert abs(both_below(h, k, rho) - wanted) < 1e-7
            assert abs(both_below(k, h, rho) - wanted) < 1e-7
    assert_digits(both_below(0.0, 0.0, 0.5), 1 / 3, at_least=14)
    assert_digits(both_below(0.4, 0.4, 1.0), stats.norm.cdf(0.4), at_least=14)


@pytest.mark.parametrize(
    ("ratings", "options", "error", "says"),
    [
        (simulated(), {"method": "reml"}, pc.InputError, "choose one of 'or'"),
        (simulated(), {"seed": 1}, pc.InputError, "method='bootstrap'"),
        (
            simulated(),
            {"method": "one-shot", "figure": "mean"},
            pc.InputError,
            "for the AUC",
        ),
        (clustered(), {"method": "one-shot"}, pc.InputError, "in clusters"),
        (simulated(t=1), {}, pc.DesignError, "1 modalities and 4 readers"),
        (own_readers(simulated(t=2)), {}, pc.DesignError, "factorial design"),
        (
            simulated(),
            {"method": "bootstrap", "resamples": 1},
            pc.InputError,
            "2 at least",
        ),
    ],
)
def test_what_has_no_components_is_refused(ratings, options, error, says):
    with pytest.raises(error, match=says):
        pc.variance_components(ratings, **options)


def test_the_model_of_roe_and_metz_is_estimated():
    model = pc.RoeMetz(
        separation=(1.5, 1.5),
        reader=0.3,
        modality_reader=0.2,
        case=0.3,
        modality_case=0.2,
        reader_case=0.2,
        error=0.3,
    )
    ratings = model.draw(n_readers=40, n_positive=150, n_negative=150, seed=2)
    found = estimates(pc.variance_components(ratings, method="roe-metz"))
    assert_digits(found.iloc[2:].sum(), 1.0, at_least=12)
    # One study of 40 readers and 300 cases: near, not equal.
    wanted = [0.3, 0.2, 0.3, 0.2, 0.2, 0.3]
    np.testing.assert_allclose(found, wanted, atol=0.12)


def test_one_modality_has_one_shot_components():
    ratings = simulated(t=1)
    found = pc.variance_components(ratings, method="one-shot")
    assert set(found.table["of"]) == {"M1"} and len(found.table) == 7
    perfect = made(np.broadcast_to(ratings.truth * 1.0, (1, 4, 40)), ratings.truth)
    table = pc.variance_components(perfect, method="one-shot").table
    assert (table["estimate"] == 0).all()


@pytest.mark.parametrize("method", ["or", "dbm"])
def test_components_of_readers_have_intervals_and_those_of_cases_none(method):
    ratings = simulated(t=3, r=6, n=40)
    table = pc.variance_components(ratings, method=method).table
    table = table.set_index("component")
    mine = table.loc[["reader", "modality x reader"]]
    assert (mine["conf_low"] < mine["estimate"]).all()
    assert (mine["estimate"] < mine["conf_high"]).all()
    assert table.drop(mine.index)["conf_low"].isna().all()
    wide = pc.variance_components(ratings, method=method, level=0.99).table
    assert (wide["conf_high"] > table["conf_high"].to_numpy())[:1].all()


def test_components_of_readers_are_the_same_by_both_methods():
    ratings = simulated(t=2, r=5, n=30)
    one, two = (
        pc.variance_components(ratings, method=m).table.set_index("component")
        for m in ("or", "dbm")
    )
    for name in ("reader", "modality x reader"):
        columns = ["estimate", "conf_low", "conf_high"]
        assert_digits(one.loc[name, columns], two.loc[name, columns], at_least=9)


@pytest.mark.parametrize("method", ["one-shot", "bootstrap", "roe-metz"])
def test_methods_without_intervals_refuse_a_level(method):
    with pytest.raises(InputError, match="has no intervals"):
        pc.variance_components(simulated(t=2), method=method, level=0.9)
    with pytest.raises(InputError, match="level"):
        pc.variance_components(simulated(t=2), level=1.5)
