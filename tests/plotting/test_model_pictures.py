"""Pictures of linear models: effects, interaction, HE plot."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

import pycompare as pc
from pycompare import plotting
from pycompare.base.errors import DesignError, InputError
from tests.plotting.looking import caption, collisions, cut_off, lines, long_names
from validation.checks.models import designed


def renamed():
    names = dict(zip(("L0", "L1", "L2"), long_names(3), strict=True))
    frame = designed(1)
    return frame.assign(learner=frame["learner"].replace(names))


def model(**options):
    frame = options.pop("frame", designed(1))
    return pc.linear_model(frame, "cbind(error, auc) ~ learner * prep", **options)


def drawings(frame):
    found = model(frame=frame, within="data")
    means = found.emmeans(("learner", "prep"), response="error")
    return {
        "effects": lambda **o: plotting.effects(means, **o),
        "contrasts": lambda **o: plotting.effects(means.contrasts(), **o),
        "interaction": lambda **o: plotting.interaction(means, **o),
        "hypothesis_ellipse": lambda **o: plotting.hypothesis_ellipse(
            found, "learner:prep", **o
        ),
    }


@pytest.mark.parametrize("name", list(drawings(designed(1))))
def test_no_label_collides_or_leaves_the_figure(name):
    for frame in (designed(1), renamed()):
        draw = drawings(frame)[name]
        for options in ({}, {"width": 3.4, "footnote": False}):
            ax = draw(**options)
            assert collisions(ax) == []
            assert cut_off(ax) == []
    given = Figure(figsize=(5, 5)).subplots()
    assert draw(ax=given) is given


def test_effects_are_drawn_where_the_table_has_them():
    means = model().emmeans("learner", response="error")
    ax = plotting.effects(means)
    (dots,) = lines(ax, "estimates").values()
    assert list(dots.get_xdata()) == pytest.approx(means.table["estimate"].tolist())
    (bars,) = (c for c in ax.collections if c.get_gid() == "intervals")
    ends = [[s[0, 0], s[1, 0]] for s in bars.get_segments()]
    wanted = means.table[["conf_low", "conf_high"]].to_numpy()
    np.testing.assert_allclose(ends, wanted)
    assert not lines(ax, "zero")
    contrasts = plotting.effects(means.contrasts())
    assert lines(contrasts, "zero") and "simultaneous 95%" in caption(contrasts)


def test_interaction_has_a_line_a_level_and_a_place_a_level():
    means = model().emmeans(("learner", "prep"), response="auc")
    ax = plotting.interaction(means)
    drawn = lines(ax, "means")
    assert len(drawn) == 2
    for line, prep in zip(drawn.values(), ("p0", "p1"), strict=True):
        own = means.table[means.table["prep"] == prep]
        assert list(line.get_ydata()) == pytest.approx(own["estimate"].tolist())
        assert [round(x) for x in line.get_xdata()] == [0, 1, 2]
    assert len(lines(plotting.interaction(means, over="prep"), "means")) == 3
    with pytest.raises(InputError, match="choose 'learner' or 'prep'"):
        plotting.interaction(means, over="data")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("alpha", [0.01, 0.2])
def test_the_ellipse_of_a_term_reaches_out_where_roys_test_rejects(seed, alpha):
    frame = designed(seed, noise=4.0)
    found = pc.linear_model(frame, "cbind(error, auc) ~ learner * prep")
    for term in ("learner", "prep", "learner:prep"):
        ax = plotting.hypothesis_ellipse(found, term, alpha=alpha)
        h, e = (
            np.column_stack(next(iter(lines(ax, gid).values())).get_data())
            for gid in ("term", "error")
        )
        centre = (e.max(0) + e.min(0)) / 2
        # In the axes of error its ellipse is a circle.
        spread = np.linalg.inv(np.cov((e - centre).T, bias=True))
        inside = np.sqrt(np.einsum("ij,jk,ik->i", e - centre, spread, e - centre))
        outside = np.sqrt(np.einsum("ij,jk,ik->i", h - centre, spread, h - centre))
        table = found.manova[term].table.set_index("test")
        rejects = table.loc["roy", "p_value"] <= alpha
        assert (outside.max() > inside.mean()) == rejects


def test_what_cannot_be_drawn_is_refused():
    found = model()
    with pytest.raises(InputError, match="give two of"):
        plotting.hypothesis_ellipse(found, "prep", responses=("error",))
    with pytest.raises(InputError, match="there is no term"):
        plotting.hypothesis_ellipse(found, "time")
    with pytest.raises(InputError, match="between 0 and 1"):
        plotting.hypothesis_ellipse(found, "prep", alpha=2)
    mixed = model(frame=designed(1, 5), within="data")
    with pytest.raises(DesignError, match="mixed model"):
        plotting.hypothesis_ellipse(mixed, "prep")
    frame = designed(2)
    frame["twice"] = 2 * frame["error"]
    line = pc.linear_model(frame, "cbind(error, twice) ~ prep")
    with pytest.raises(DesignError, match="two dimensions"):
        plotting.hypothesis_ellipse(line, "prep")
