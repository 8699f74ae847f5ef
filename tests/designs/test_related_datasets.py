"""Data sets in clusters: families, domains; whole clusters flip."""

from __future__ import annotations

import dataclasses
import json
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from tests.command_line import command
from tests.conftest import wide


def families(
    n_clusters: int = 9, size: int = 3, a: int = 4, effect: float = 1.6, seed: int = 1
) -> pc.Scores:
    """Return scores with an effect of each family, the last algorithm the best."""
    rng = np.random.default_rng(seed)
    family = np.repeat(np.arange(n_clusters), size)
    noise = rng.normal(size=(len(family), a))
    x = noise + rng.normal(size=(n_clusters, a))[family] + effect * np.arange(a)
    return dataclasses.replace(wide(x), clusters=tuple(f"f{i}" for i in family))


def compared(scores: pc.Scores, **keys) -> pc.Comparison:
    return pc.compare(scores, pc.Plan(blocks="datasets", **keys))


def test_the_tests_are_those_of_the_public_function():
    scores = families()
    for control in (None, "A2"):
        [analysis] = compared(scores, control=control).analyses
        wanted = pc.clustered_signed_rank_pairs(scores, control=control)
        pd.testing.assert_frame_equal(analysis.decisive.table, wanted.table)
        assert analysis.decisive.adjust == "holm"
        assert [over.key for over in analysis.over] == ["typical-difference"]
        assert analysis.ranks is None
        assert analysis.two == ()


def test_two_algorithms_have_the_same_test():
    scores = families(a=2)
    for control in (None, "A1"):  # the better minus the other one, or the control
        [analysis] = compared(scores, control=control).analyses
        turned = scores.select(algorithms=["A2", "A1"])
        [row] = pc.clustered_signed_rank_pairs(turned).table.to_dict("records")
        [made] = analysis.decisive.table.to_dict("records")
        assert made == pytest.approx(row, nan_ok=True)
        assert analysis.decisions[0].better == "A2"


def test_clusters_of_one_data_set_are_those_of_independent_ones():
    scores = wide(families(size=1, n_clusters=14).values[:, :, 0])
    alone = dataclasses.replace(scores, clusters=scores.blocks)
    one, two = (compared(s, adjust=("holm",)).analyses[0] for s in (scores, alone))
    for name in ("estimate", "p_value", "p_adjusted", "conf_low", "conf_high"):
        assert one.decisive.as_columns()[name] == pytest.approx(
            two.decisive.as_columns()[name]
        )


def test_the_size_of_the_table_counts_clusters():
    # 27 data sets have Holm, ten of them the closed test; nine clusters have Holm.
    few = families(n_clusters=5, size=2)
    found = compared(few)
    assert found.plan.adjust == ("holm", "bonferroni")
    assert compared(dataclasses.replace(few, clusters=None)).plan.adjust[0] == (
        "closed-permutation"
    )
    head, *_ = found.summary().split("\n")
    assert "No outcome of five clusters could be significant; 8 clusters" in head
    head, *_ = compared(families(n_clusters=5, a=2)).summary().split("\n")
    assert "No outcome of five clusters could be significant; 6 clusters" in head
    assert "A2 – A1: typical difference" in head
    assert "No outcome" not in compared(families(n_clusters=8)).summary()


def test_missing_cells_leave_clusters_that_two_algorithms_share():
    scores = families(n_clusters=9)
    values = scores.values.copy()
    values[:6, 0] = np.nan  # two families without A1
    gappy = dataclasses.replace(scores, values=values, missing="model")
    [analysis] = compared(gappy).analyses
    table = analysis.decisive.table
    with_a1 = (table["algorithm_1"] == "A1").to_numpy()
    assert table["n_clusters"].tolist() == np.where(with_a1, 7, 9).tolist()
    assert np.all(table["p_value"][with_a1] >= 2.0**-6)
    values[:, 1:] = np.where(np.arange(27)[:, None, None] < 15, np.nan, values[:, 1:])
    values[:15, 3] = scores.values[:15, 3]
    few = dataclasses.replace(scores, values=values, missing="model")
    assert "No outcome of seven clusters" in compared(few).summary()


def test_folds_are_averaged_within_data_sets():
    scores = families()
    folds = dataclasses.replace(scores, datasets=tuple(f"d{i}" for i in range(27)))
    values = np.repeat(folds.values, 2, axis=0)
    values[::2] += 0.5
    values[1::2] -= 0.5
    twice = pc.Scores(
        values=values,
        blocks=tuple(f"d{i // 2}/{i % 2}" for i in range(54)),
        algorithms=scores.algorithms,
        metrics=scores.metrics,
        datasets=tuple(f"d{i // 2}" for i in range(54)),
        clusters=tuple(np.repeat(scores.clusters, 2)),
    )
    means = pc.compare(twice, pc.Plan(average_folds=True)).analyses[0].decisive
    wanted = compared(scores).analyses[0].decisive
    assert (
        means.as_columns()["p_value"].tolist()
        == wanted.as_columns()["p_value"].tolist()
    )
    with pytest.raises(pc.PlanError, match=r"average_folds=True.*or leave the column"):
        pc.compare(twice, pc.Plan(blocks="folds-of-datasets"))
    torn = dataclasses.replace(twice, clusters=("f8", *twice.clusters[1:]))
    with pytest.raises(pc.InputError, match="a data set lies in one cluster"):
        pc.compare(torn, pc.Plan(average_folds=True))


def test_metrics_and_groups_are_one_family():
    scores = families(n_clusters=12, a=3)
    both = dataclasses.replace(
        scores,
        values=np.concatenate([scores.values, scores.values[::-1]], axis=2),
        metrics=(scores.metrics[0], pc.Metric("other", "higher")),
        groups=("g",) * 18 + ("h",) * 18,
    )
    found = compared(both, family="all", groups="each-and-all")
    [family] = found.families
    assert len(family.table) == 3 * 2 * 3
    for part in found.parts:
        for analysis in part.analyses:
            own = analysis.decisive
            assert own.p_multiplier == 18
            assert np.all(own.as_columns()["p_adjusted"] >= own.least - 1e-12)
    one = dataclasses.replace(both, clusters=("f",) * 18 + both.clusters[18:])
    with pytest.raises(pc.InputError, match="at least 2 clusters"):
        compared(one, family="metric")


def test_decisions_are_made_again_without_each_cluster():
    found = compared(families()).firmness[0].left_out
    assert (found.unit, found.n_units) == ("cluster", 9)
    [two] = compared(families(a=2)).firmness
    assert (two.left_out.unit, two.left_out.n_units) == ("cluster", 9)
    scores = families()
    changed = {(pair, name) for pair, names in found.changes.items() for name in names}
    whole = {d.pair for d in compared(scores).analyses[0].decisions if d.rejected}
    for name in dict.fromkeys(scores.clusters):
        kept = [
            b for b, c in zip(scores.blocks, scores.clusters, strict=True) if c != name
        ]
        left = compared(scores.select(blocks=kept)).analyses[0].decisions
        now = {d.pair for d in left if d.rejected}
        assert {pair for pair, one in changed if one == name} == whole ^ now


@pytest.mark.parametrize("a", [2, 3])
@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"compares": "means"}, "assume independent data sets"),
        ({"compares": "ranks"}, "assume independent data sets"),
        ({"adjust": ("step-down-flips",)}, "flips or permutes single data sets"),
        ({"adjust": ("closed-permutation",)}, "flips or permutes single data sets"),
        ({"assumes": "symmetry"}, "leave it out"),
        ({"assumes": "exchangeability"}, "leave it out"),
        (
            {"margin": 0.5, "hypothesis": "equivalence"},
            "has no form for data sets in clusters",
        ),
    ],
)
def test_what_clusters_do_not_have_is_refused(a, keys, told):
    with pytest.raises(pc.PlanError, match=told):
        compared(families(a=a), **keys)


def test_ratios_are_of_whole_clusters_too():
    scores = families()
    positive = dataclasses.replace(scores, values=np.exp(scores.values / 3))
    units = np.where(np.arange(27) < 9, 1000.0, 1.0)[:, None, None]
    other = dataclasses.replace(positive, values=positive.values * units)
    one, two = (
        compared(made, scale="ratio").analyses[0].decisive for made in (positive, other)
    )
    assert one.basis == "signed-ranks-of-logarithms/clusters"
    assert one.as_columns()["p_value"] == pytest.approx(two.as_columns()["p_value"])
    assert one.as_columns()["conf_low"] == pytest.approx(two.as_columns()["conf_low"])
    logs = compared(scores).analyses[0].decisive
    assert one.as_columns()["p_value"] == pytest.approx(logs.as_columns()["p_value"])
    assert one.as_columns()["estimate"] == pytest.approx(
        np.exp(logs.as_columns()["estimate"] / 3)
    )
    assert "typically" in compared(positive, scale="ratio").summary()


def test_clusters_of_folds_are_refused():
    with pytest.raises(pc.PlanError, match="the blocks are folds of one data set"):
        pc.compare(families(), pc.Plan(blocks="folds", protocol="held-out"))


def test_nothing_is_said_of_tests_that_are_not_made():
    for a in (2, 4):
        found = compared(families(a=a))
        text = found.summary() + str(found.to_dict())
        for word in ("Friedman", "paired t", "Wilcoxon", "sign test", "two/"):
            assert word not in text
        assert found.only.rank_predictions == {}
        [estimand] = found.only.estimands.values()
        assert estimand.unit == "cluster of data sets"
        assert estimand.population == "clusters of data sets like these"
        assert "if clusters of data sets are independent" in text


def test_a_plan_with_clusters_says_what_so_many_can_reach(tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text(
        '[data]\nfile = "x.csv"\nformat = "long"\nalgorithm = "model"\nblock = "d"\n'
        'cluster = "family"\n'
        '[metrics]\nscore = "higher"\n[plan]\nblocks = "datasets"\n'
    )
    for n, told in (
        (7, "No outcome of seven clusters could be significant; 8 clusters are"),
        (8, "With eight clusters and four algorithms the plan compares six pairs"),
    ):
        code, said, _ = command("plan", plan, "--n", n, "--n-algorithms", 4)
        assert code == 0
        assert told in said
    # As many clusters of data sets, the strongest that there can be.
    for n, any_found in ((7, False), (8, True)):
        x = np.outer(1e6 + np.arange(2 * n) + 1, np.arange(4.0))
        scores = dataclasses.replace(
            wide(x), clusters=tuple(f"f{i // 2}" for i in range(2 * n))
        )
        made = compared(scores).analyses[0].decisions
        assert any(d.rejected for d in made) == any_found
    text = plan.read_text().replace('"datasets"', '"cases"')
    plan.write_text(text)
    assert (
        "has cluster = 'family'"
        in command("plan", plan, "--n", 8, "--n-algorithms", 4)[2]
    )


HOSTILE = ('A "q" & <b>', "naïve, b$", "C_3", "D`x\\")


def table(folder: Path, families_called: str = "family") -> Path:
    """Write a long CSV file with a column of families, all labels hostile."""
    scores = families()
    rows = [
        {
            "model": HOSTILE[j],
            "data": f"d/{i} <&>",
            families_called: f"fam 'é{c}",
            "score": round(float(scores.values[i, j, 0]), 4),
        }
        for i, c in enumerate(scores.clusters)
        for j in range(4)
    ]
    pd.DataFrame(rows).to_csv(folder / "scores.csv", index=False)
    return folder / "scores.csv"


@pytest.mark.usefixtures("blank_pictures_here")
def test_from_a_file_with_families_to_a_page_and_back_in_r(tmp_path):
    file, out = table(tmp_path), tmp_path / "out"
    words = ["compare", str(file), "--algorithm", "model", "--block", "data"]
    words += ["--cluster", "family", "--metric", "score:higher", "--out", str(out)]
    code, said, why = command(*words)
    assert code == 0, why
    assert "clusters of data sets like these" in said
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "on 27 data sets in nine clusters" in page
    assert "The data sets are in 9 clusters of 3" in page
    assert "Rosner" in page
    made = json.loads((out / "results.json").read_text(encoding="utf-8"))
    [analysis] = made["analyses"]
    assert {one["n_clusters"] for one in analysis["over"][0]["pairs"]} == {9}
    assert made["estimands"]["score"]["unit"] == "cluster of data sets"
    assert made["firmness"][0]["left_out"]["unit"] == "cluster"
    done = subprocess.run(
        ["Rscript", "reproduce.R"], cwd=out, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "DIFFERS" not in done.stdout


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda f: f.assign(family="one"), "at least 2 clusters, got 1: 'one'"),
        (
            lambda f: f.assign(family=f["family"].where(f["data"] != "d/3 <&>")),
            "family",
        ),
        (
            lambda f: f.assign(family=f["family"].where(f.index != 0, "fam 'é4")),
            "lies in one cluster",
        ),
    ],
)
def test_labels_of_clusters_that_cannot_be_are_refused(tmp_path, change, told):
    file = table(tmp_path)
    change(pd.read_csv(file)).to_csv(file, index=False)
    words = ["compare", str(file), "--algorithm", "model", "--block", "data"]
    words += ["--cluster", "family", "--metric", "score:higher"]
    code, _, why = command(*words, "--out", tmp_path / "out")
    assert code == 2
    assert told in why
    assert not (tmp_path / "out").exists()
