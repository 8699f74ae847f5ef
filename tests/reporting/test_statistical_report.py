"""The order of submissions: every section, everything of the page, in each format."""

import re
from collections import Counter

import numpy as np
import pytest

import pycompare as pc
from pycompare.designs.plans.model_plan import ModelPlan
from pycompare.reporting.comparison_folder import contents as contents_of
from pycompare.reporting.document import Code, Figure, Note, Section, Table
from pycompare.reporting.evidence.manifest import Deviation
from pycompare.reporting.statistical_report import (
    AS_PLANNED,
    NO_PLAN,
    statistical_report,
)
from pycompare.reporting.submission_words import Words
from tests.conftest import wide
from tests.reporting.render.kinds import KINDS, document_of

pytestmark = pytest.mark.usefixtures("blank_pictures")

SECTIONS = [
    "1. Synopsis",
    "2. Objectives and estimands",
    "3. Analysis sets and exclusions",
    "4. Methods",
    "5. Results",
    "6. Sensitivity analyses",
    "7. Assumptions and limits",
    "8. Amendments and deviations",
    "9. Software and validation",
    "10. References",
    "11. Program listings",
]


@pytest.fixture(scope="module")
def contents():
    comparison = pc.compare(pc.example(), pc.Plan(blocks="datasets"))
    return contents_of(comparison, None)


@pytest.fixture(scope="module")
def document(contents):
    return contents.document("statistical-report")


def test_the_sections_are_those_of_a_statistical_report(document):
    assert [block.title for block in document.blocks] == SECTIONS
    assert all(isinstance(block, Section) for block in document.blocks)


def test_nothing_of_the_page_is_missing(contents, document):
    """Each table, figure and program of the page is there, and once."""

    def held(made):
        return Counter(
            block.caption if not isinstance(block, Code) else block.title
            for block in made.walk()
            if isinstance(block, Table | Figure | Code)
        )

    assert held(document) == held(contents.document("page"))


def test_places_of_sections_are_distinct(document):
    keys = [b.key for b in document.walk() if hasattr(b, "key")]
    assert len(keys) == len(set(keys))


def text_of(tmp_path, comparison, **options):
    out = pc.report(
        comparison, tmp_path / "out", formats=["text"], style="statistical-report"
    )
    return " ".join((out / "report.txt").read_text().split())


def test_the_methods_and_sources_are_those_of_the_comparison(tmp_path):
    comparison = pc.compare(pc.example(), pc.Plan(blocks="datasets", compares="ranks"))
    text = text_of(tmp_path, comparison)
    assert pc.methods_text(comparison) in text
    sources = pc.cite(comparison, form="text").splitlines()[1:]
    assert len(sources) > 10
    named = text.partition("10. References")[2]
    assert sum(line in named for line in sources) > 10
    assert NO_PLAN in text
    assert "measure: mean rank; difference in mean ranks of each pair" in text


def test_what_was_left_out_is_a_deviation(tmp_path):
    scores = pc.example()
    frame = scores.to_frame()
    frame.loc[frame.index[3], scores.metrics[0].name] = np.nan
    read = pc.Scores.from_frame(
        frame,
        algorithm="algorithm",
        block="block",
        metrics={"accuracy": "higher"},
        missing="drop-block",
    )
    text = text_of(tmp_path, pc.compare(read, pc.Plan(blocks="datasets")))
    found = text.partition("8. Amendments and deviations =")[2]
    assert "Done: 1 block left out" in found.partition("9. Software")[0]
    assert "1 block with missing cells was dropped" in text


def test_a_plan_that_was_followed_is_said_to_be(contents):
    report = contents.report
    report.origin["plan_file"] = {
        "name": "p.toml",
        "sha256": "0",
        "text": "x = 1",
        "trail": [],
    }
    try:
        made = statistical_report(report, [], Words())
        deviation = Deviation(planned="a", done="b", why="c")
        other = statistical_report(report, [deviation], Words())
    finally:
        report.origin["plan_file"] = None
    assert made.blocks[7].blocks[0].text == AS_PLANNED
    assert other.blocks[7].blocks[0].items == ("Planned: a. Done: b (c).",)


@pytest.mark.parametrize("n_algorithms", [2, 4])
def test_the_paragraph_has_the_numbers_of_the_results(n_algorithms):
    scores = wide(np.random.default_rng(2).normal(size=(20, n_algorithms)))
    compares = "ranks" if n_algorithms > 2 else None
    comparison = pc.compare(scores, pc.Plan(blocks="datasets", compares=compares))
    [analysis] = comparison.analyses
    text = pc.methods_text(comparison)
    assert f"on {scores.n_blocks} data sets" in text
    shown = {float(p) for p in re.findall(r"p = (0\.\d+)", text)}
    tested = analysis.omnibus if n_algorithms > 2 else analysis.test
    assert any(abs(p - tested.p_value) < 6e-4 for p in shown)
    assert f"pycompare {pc.__version__}" in text


def test_other_results_are_refused():
    with pytest.raises(pc.InputError, match="expected the result"):
        pc.methods_text("x")
    plan = ModelPlan(formula="y ~ a")
    with pytest.raises(pc.InputError, match="linear_model"):
        pc.methods_text(pc.compare(pc.example(), pc.Plan(blocks="datasets")), plan=plan)


ANALYSES = ["model_within", "mrmc", "mrmc_glmm", "single_modality", "curves_data_sets"]


@pytest.mark.parametrize("name", ANALYSES)
def test_every_kind_of_analysis_has_question_estimands_and_paragraph(name):
    write = KINDS[name]()
    result = write.args[0]
    made = document_of(write, "statistical-report")
    sections = {block.title: block for block in made.blocks}
    assert list(sections) == SECTIONS
    question, facts, *_ = sections[SECTIONS[1]].blocks
    assert question.text.endswith("?")
    named = " ".join(key for key, _ in facts.rows)
    assert "Summary measure" in named and "Variable" in named
    [note] = [b for b in sections[SECTIONS[3]].blocks if isinstance(b, Note)]
    [paragraph] = note.blocks
    plan = write.keywords.get("plan")
    assert paragraph.text == pc.methods_text(result, plan=plan)
    assert f"pycompare {pc.__version__}" in paragraph.text
