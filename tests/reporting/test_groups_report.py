"""Reports of groups: titles name them, files do not, and all say the same."""

import dataclasses
import json
import re
from html.parser import HTMLParser

import pandas as pd
import pytest

import pycompare as pc
from pycompare.designs.pair_methods import PUBLISHED
from pycompare.reporting.comparison_report import ComparisonReport
from pycompare.reporting.content import facts, family_report
from pycompare.reporting.document import plain
from tests.designs.grouped import ODD, TWO, grouped
from tests.methods.over_datasets.many_folds import folds_of

pytestmark = pytest.mark.usefixtures("blank_pictures")


@pytest.fixture(scope="module")
def comparison():
    scores = pc.dataset_means(grouped([2] * 24, ODD, effect=1.5, metrics=TWO))
    return pc.compare(scores, pc.Plan(family="all", groups="each-and-all"))


@pytest.fixture(scope="module")
def folder(comparison, tmp_path_factory):
    return pc.report(comparison, tmp_path_factory.mktemp("report") / "out")


class Texts(HTMLParser):
    """Headings, links and anchors of a page."""

    def __init__(self, page):
        super().__init__()
        self.titles, self.links, self.anchors, self.scripts = [], [], [], 0
        self.heading = False
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.heading = tag == "h2"
        self.scripts += tag == "script"
        if "id" in found:
            self.anchors.append(found["id"])
        if tag == "a" and found["href"].startswith("#"):
            self.links.append(found["href"][1:])

    def handle_data(self, data):
        if self.heading:
            self.titles.append(data)
            self.heading = False


def test_titles_name_groups_and_nothing_in_them_runs(folder):
    page = Texts((folder / "report.html").read_text(encoding="utf-8"))
    assert page.scripts == 0
    for name in ODD:
        for metric in ("error (lower is better)", "auc (higher is better)"):
            assert f"Group {name}, {metric}" in page.titles
    assert "All groups together, error (lower is better)" in page.titles
    assert page.titles[0] == "How firm is this?"
    assert "All metrics and groups as one family" in page.titles
    assert set(page.links) <= set(page.anchors)


def test_no_file_is_named_by_a_group(folder):
    names = [
        p.name for part in ("tables", "figures") for p in (folder / part).iterdir()
    ]
    known = r"(family|(group[1-4]|all_groups)_metric[12])_[a-z0-9_]+\.(csv|svg)"
    assert names and all(re.fullmatch(known, name) for name in names)


def test_the_page_says_what_is_planned(folder):
    page = (folder / "report.html").read_text(encoding="utf-8")
    for text in (
        "in each of 4 groups of data sets, and over all of them together?",
        "Data sets are in 4 groups, given by the group column",
        "the family of 60 hypotheses, 6 pairs x 2 metrics x (4 groups + all of them",
        "each, at the level of the last step",
        "does not show that the groups differ",
        "Every hypothesis of the family of 60 hypotheses",
        "a,b: 6 data sets",
    ):
        assert text in page, text
    assert "Bonferroni over tables" not in page
    assert "is a separate family" not in page and "Nemenyi's test" not in page


def test_each_group_by_itself_is_said_so():
    scores = pc.dataset_means(grouped([2] * 12, ["x", "y"], metrics=TWO))
    got = ComparisonReport(pc.compare(scores, pc.Plan(family="metric")))
    assert "Each metric in each group is a separate family." in got.plan()
    assert any("There are 4 families, by groups and metrics" in s for s in got.scope())
    alone = ComparisonReport(pc.compare(dataclasses.replace(scores, groups=None)))
    assert "Each metric is a separate family." in alone.plan()
    assert not any("groups" in s for s in alone.scope())


def test_what_differs_between_groups_is_said_of_each():
    sizes = ["x"] * 4 + ["y"] * 12 + ["z"] * 5
    got = ComparisonReport(
        pc.compare(
            grouped([1] * 21, sizes),
            pc.Plan(compares="ranks", family="metric", adjust=PUBLISHED),
        )
    )
    told = [s for s in got.plan() if "P-values of pairs are" in s]
    assert [s.partition(":")[0] for s in told] == ["Group x and Group z", "Group y"]
    assert "exact" in told[0] and "approximate" in told[1]


def marked(table, title):
    place = [c.title for c in table.columns].index(title)
    return sum(row[place].marked for row in table.cells())


def test_the_family_table_shows_the_decisions(comparison):
    table = family_report.family_table(comparison, comparison.families[0])
    made = [
        d
        for p in comparison.parts
        for a in p.analyses
        for d in a.decisions
        if d.rejected
    ]
    assert made and marked(table, "Holm") == len(made)
    assert len(table.rows) == 60
    counts = family_report.counts_table(comparison)
    found = [int(plain(cell).split()[0]) for row in counts.rows for cell in row[1:]]
    assert sum(found) == len(made)


def test_the_gate_stands_in_the_family_table():
    scores = grouped([4] * 10, ["x", "y"], effect=0.8, metrics=TWO)
    plan = pc.Plan(family="all", gate="omnibus", compares="means")
    got = pc.compare(scores, plan)
    table = family_report.family_table(got, got.families[0])
    made = [d for p in got.parts for a in p.analyses for d in a.decisions]
    assert marked(table, "adjusted p") == sum(d.rejected for d in made)
    assert "omnibus" in family_report.method(got)


def test_json_and_csv_hold_every_group(comparison, folder):
    held = json.loads((folder / "results.json").read_text())
    assert [part["group"] for part in held["groups"]] == [*ODD, None]
    assert held["data"]["groups"] == list(comparison.scores.groups)
    assert "analyses" not in held
    family = held["families"][0]
    assert family["decides"] and len(family["table"]) == 60
    read = pd.read_csv(folder / "tables" / "family_pairs.csv", keep_default_na=False)
    assert read["group"].tolist()[:1] == [ODD[0]]
    assert set(read["group"]) == {*ODD, ""}
    assert list(read.columns[2:]) == [
        *("algorithm_1", "algorithm_2", "p_value", "p_adjusted", "adjust", "p_holm"),
        "p_bonferroni",
    ]
    script = (folder / "reproduce.R").read_text()
    assert "family_reference(" in script
    assert "Family, exact sign-flip test of mean ranks" in script


def test_metrics_alone_have_a_family_section_and_two_algorithms_too():
    for a in (2, 4):
        got = pc.compare(
            folds_of([8], a=a, effect=0.8, metrics=TWO),
            pc.Plan(family="all", protocol="held-out"),
        )
        first = next(ComparisonReport(got).results()).result
        assert first.title == "All metrics as one family" and first.prefix == "family_"
        assert "group" not in first.tables["pairs"]
        page = " ".join(got.summary().split("\n"))
        assert "Holm" in page and "nothing is adjusted" not in " ".join(
            ComparisonReport(got).plan()
        )


def test_sentences_of_two_algorithms_go_by_the_family():
    for seed in range(6):
        scores = folds_of([8], a=2, effect=0.9, metrics=TWO, seed=seed)
        got = pc.compare(
            scores, pc.Plan(family="all", together="no", protocol="held-out")
        )
        text = got.summary()
        assert text.count(" is significantly better than ") == sum(
            made.rejected for a in got.analyses for made in a.decisions
        )
        assert "Holm" in text


def test_two_algorithms_over_data_sets_name_the_adjustment():
    scores = grouped([4] * 16, ["x", "y"], a=2, effect=1.5)
    got = pc.compare(scores, pc.Plan(family="all"))
    text = got.summary()
    assert "typical differences, Wilcoxon signed rank test" in text
    assert "Holm adjustment, over the family of" in text
    rule = " ".join(ComparisonReport(got).plan())
    assert "not adjusted" not in rule


def test_what_groups_share_is_compared_as_facts_not_as_sentences():
    """Two facts of one wording stand each by its name."""

    def few(n):
        return facts.stated("Few.", n=n)

    two = grouped([1] * 12, ["x", "y"])
    got = ComparisonReport(pc.compare(two, pc.Plan(family="metric")))
    assert got.merged([[few(3)], [few(3)]]) == ["Few."]
    assert got.merged([[few(3)], [few(4)]]) == ["Group x: Few.", "Group y: Few."]


def test_sentences_with_values_carry_them_as_facts():
    sizes = grouped([1] * 14, ["x"] * 6 + ["y"] * 8)
    got = ComparisonReport(pc.compare(sizes, pc.Plan(family="metric")))
    for said in ("plan", "scope", "limits"):
        for report in got.reports:
            for text in getattr(report, said)():
                fixed = re.sub(r"1 = best|2016|17\(5\)", "", text)
                assert hasattr(text, "fact") or not re.search(r"\d", fixed), text
