import pytest
from matplotlib.colors import to_hex

import pycompare as pc
from pycompare import plotting
from pycompare.base.errors import InputError
from pycompare.plotting import style
from tests.predictions import predictions, rows


@pytest.fixture(scope="module")
def found():
    algorithms = [("tree", 0.3), ("kNN", 1.5), ("LDA", 1.4)]
    one, two = (
        pc.compare_curves(
            predictions(frame=rows(algorithms=algorithms, seed=seed), case="case")
        )
        .analyses[0]
        .over_cases
        for seed in (1, 2)
    )
    return {"over cases": {"one": one, "two": two}}


def marks(part):
    return {line.get_gid(): line for line in part.lines if line.get_gid() is not None}


def test_each_mark_is_a_difference_blue_where_it_is_significant(found):
    ax = plotting.auc_differences(found, alpha=0.05)
    pairs = [("tree", "kNN"), ("tree", "LDA"), ("kNN", "LDA")]
    decided = set()
    for number, (part, pair) in enumerate(zip(ax.child_axes, pairs, strict=True), 1):
        for row, name in enumerate(("one", "two")):
            result = found["over cases"][name]
            mark = marks(part)[f"difference-{number}-{row + 1}-o"]
            assert mark.get_xdata()[0] == result.matrix("estimate").loc[pair]
            significant = result.matrix("p_adjusted").loc[pair] <= 0.05
            assert (to_hex(mark.get_color()) == style.BLUE) == significant
            decided.add(bool(significant))
    assert decided == {True, False}


def test_facets_share_their_axis(found):
    ax = plotting.auc_differences(found)
    assert len({part.get_xlim() for part in ax.child_axes}) == 1


def test_pairs_are_chosen_and_turned(found):
    ax = plotting.auc_differences(found, pairs=[("kNN", "tree")])
    [part] = ax.child_axes
    one = found["over cases"]["one"].matrix("estimate").loc["kNN", "tree"]
    assert marks(part)["difference-1-1-o"].get_xdata()[0] == one > 0


def test_what_nobody_could_read_is_refused(found):
    with pytest.raises(InputError, match="0 comparisons of 0 data sets"):
        plotting.auc_differences({})
    with pytest.raises(InputError, match="room for 12 pairs"):
        plotting.auc_differences(found, pairs=[("kNN", "tree")] * 13)


def test_one_data_set_has_a_row_a_pair(found):
    one = {"over cases": {"one": found["over cases"]["one"]}}
    [part] = plotting.auc_differences(one).child_axes
    assert [t.get_text() for t in part.get_yticklabels()] == [
        "tree − kNN",
        "tree − LDA",
        "kNN − LDA",
    ]
    assert set(marks(part)) == {f"difference-{i}-{i}-o" for i in (1, 2, 3)}
