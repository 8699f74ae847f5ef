"""Decision curves: lines, bands, and what cannot be drawn."""

import numpy as np
import pytest

import pycompare as pc
from pycompare import plotting
from pycompare.base.testing import assert_digits

AT = np.linspace(0.1, 0.7, 13)


def benefits(k=2, threshold=AT):
    rng = np.random.default_rng(1)
    risk = rng.uniform(size=200)
    ill = rng.uniform(size=200) < risk
    models = {
        f"m{j}": np.clip(risk + 0.1 * j * rng.normal(size=200), 0, 1) for j in range(k)
    }
    return pc.net_benefit(ill, models, positive=True, threshold=threshold)


def by_name(ax):
    return {line.get_gid(): line for line in ax.get_lines()}


def test_lines_are_the_net_benefits():
    found = benefits()
    lines = by_name(plotting.decision_curves(found))
    table = found.curves.set_index("algorithm")
    for gid, name in (
        ("curve-1", "m0"),
        ("curve-2", "m1"),
        ("treat-all", "treat all"),
        ("treat-none", "treat none"),
    ):
        assert_digits(lines[gid].get_xdata(), AT, at_least=14)
        assert_digits(
            lines[gid].get_ydata(), table.loc[name, "net_benefit"], at_least=14
        )


def test_bands_are_the_intervals_against_treating_none():
    found = benefits()
    ax = plotting.decision_curves(found)
    [first, second] = ax.collections
    assert (first.get_gid(), second.get_gid()) == ("band-1", "band-2")
    rows = found.table.query("algorithm_1 == 'm0' and algorithm_2 == 'treat none'")
    corners = first.get_paths()[0].vertices
    for name in ("conf_low", "conf_high"):
        for at, y in zip(AT, rows[name], strict=True):
            assert np.isclose(corners, [at, y], atol=1e-12).all(axis=1).any()


def test_many_models_have_no_bands_and_the_text_states_none():
    ax = plotting.decision_curves(benefits(5))
    assert len(ax.collections) == 0
    texts = " ".join(text.get_text() for text in ax.figure.findobj(match=_is_text))
    assert "Bands" not in texts


def _is_text(artist):
    return hasattr(artist, "get_text")


def test_one_threshold_is_no_curve():
    with pytest.raises(pc.InputError, match="two thresholds or more"):
        plotting.decision_curves(benefits(threshold=0.3))


def test_another_result_is_answered_by_the_kind_that_is_needed():
    with pytest.raises(pc.InputError, match=r"as pc\.net_benefit returns"):
        plotting.decision_curves(pc.nemenyi(pc.example()))
