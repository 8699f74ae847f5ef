"""The study of whole comparisons: what it shows, and its page."""

import json
import math

import pytest

import pycompare as pc
from validation import whole_comparisons as study
from validation.published_tables import EMBEDDINGS, scores

ROWS = json.loads(study.STORED.read_text(encoding="utf-8"))


def test_the_page_is_what_the_study_stored():
    assert study.PAGE.read_text(encoding="utf-8") == study.page(ROWS)
    assert [*ROWS] == [*study.SCENES]


@pytest.mark.parametrize("name", study.SCENES)
def test_sentences_are_false_as_rarely_as_stated(name):
    scene, row = study.SCENES[name], ROWS[name]
    assert row["runs"] == scene.runs
    if not math.isnan(scene.level):
        assert row["false"] <= study.bound(scene.level, row["runs"])
    else:
        assert row["false"] > 3 * study.ALPHA


def test_scores_in_several_units_and_few_clusters_are_asked_about():
    asked = {name for name, row in ROWS.items() if row[study.REFUSED] == 1}
    assert {name[:12] for name in asked} == {"errors in un", "20 clusters "}
    assert all(ROWS[name]["told"] for name in asked)


def test_scenes_with_differences_find_them():
    """A study in which nothing is ever decided would show nothing."""
    found = [name for name, row in ROWS.items() if row["decided"] > 0.8]
    assert len(found) >= 2


@pytest.mark.parametrize(
    "name", ["no algorithm differs, 1 of 240 scores missing, 30 x 8"]
)
def test_a_scene_is_simulated_again(name):
    again = study.simulated(name, 5)
    assert again == study.simulated(name, 5)
    assert again["told"] == ROWS[name]["told"]


def test_the_default_finds_3805_pairs_of_104_published_models():
    """Exact tests with Holm; z tests of mean ranks, with weak control, found 2,634."""
    found = pc.compare(study.scores(scores(EMBEDDINGS)), pc.Plan(blocks="datasets"))
    [analysis] = found.analyses
    assert sum(made.rejected for made in analysis.decisions) == 3805
