"""results.json of a large comparison has the beginnings of lists, tables have all."""

import gzip
import json
import shutil

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.interop import r_program
from pycompare.kernels import signed_rank
from pycompare.methods.pairs.wilcoxon import hodges_lehmann_rows
from pycompare.reporting import write
from pycompare.reporting.content import page
from pycompare.reporting.evidence import data_files, shortened
from pycompare.reporting.evidence.cross_check import cross_check
from pycompare.reporting.evidence.csv_text import to_csv
from pycompare.reporting.evidence.json_places import leaves
from pycompare.reporting.evidence.r_numbers import numbers_file

pytestmark = pytest.mark.usefixtures("blank_pictures")

PAIRS = 10
PLAN = pc.Plan(blocks="datasets", compares="ranks")


def take_for_large(patch):
    patch.setattr(shortened, "_MOST_VALUES", 500)
    patch.setattr(shortened, "_LENGTHS", (1000, 4))
    patch.setattr(page, "_MOST_PLAIN", PAIRS - 1)
    patch.setattr(r_program, "_MOST_PLAIN", 1000)
    patch.setattr(data_files, "MOST_NAMED", 10)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A report that is taken for a large one, with files that are too."""
    to = tmp_path_factory.mktemp("large") / "report"
    with pytest.MonkeyPatch.context() as patch:
        take_for_large(patch)
        return pc.report(pc.compare(pc.example(), PLAN), to)


def held(folder):
    return json.loads((folder / "results.json").read_text(encoding="utf-8"))


def test_long_lists_begin_and_say_how_many_there_are(folder):
    found = held(folder)
    assert found["shortened"] == {"most": 4, "complete": "tables"}
    whole = pc.compare(pc.example(), PLAN).to_dict()["analyses"][0]["pairs"]
    assert found["analyses"][0]["pairs"] == {"entries": PAIRS, "first": whole[:4]}
    assert len(found["rank_sets"]["accuracy"]["table"]) == 5  # of the certificate


def test_the_tables_have_every_row_and_the_page_says_so(folder):
    table = pd.read_csv(folder / "tables" / "pairs.csv.gz")
    whole = pc.compare(pc.example(), PLAN).analyses[0].pairs_table()
    whole = whole.sort_values("p_value", kind="stable", ignore_index=True)
    pd.testing.assert_frame_equal(table, whole, check_dtype=False)
    text = (folder / "report.html").read_text(encoding="utf-8")
    assert "the first 4 entries of each longer list" in text
    assert 'href="tables/pairs.csv.gz"' in text


@pytest.mark.r
def test_r_reads_its_large_files_compressed(folder):
    data = {path.name for path in (folder / "data").iterdir()}
    assert data == {"numbers.csv.gz", "scores.csv.gz"}
    found = cross_check(folder)
    assert found.agree == found.compared > 100


def test_labels_of_many_blocks_are_in_the_file_of_scores_alone(folder):
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert "blocks" not in manifest["data"]["parts"]
    program = (folder / "reproduce.R").read_text(encoding="utf-8")
    label = pc.example().blocks[7]
    assert "block_labels(scores, 5)" in program and f'"{label}"' not in program


def test_a_shortened_report_is_verified_by_computing_it_again(folder, monkeypatch):
    take_for_large(monkeypatch)
    found = pc.verify(folder, recompute=True)
    assert found.passed and found.again.numbers > 100


def test_a_changed_cell_of_a_compressed_file_is_named(folder, tmp_path):
    new = shutil.copytree(folder, tmp_path / "report")
    table = pd.read_csv(path := new / "tables" / "pairs.csv.gz")
    table.loc[3, "p_value"] /= 2
    table.to_csv(path, index=False)
    [problem] = pc.verify(new).problems
    assert str(problem) == "tables/pairs.csv.gz was changed: row 4, column p_value"
    path.write_bytes(path.read_bytes()[:-9])
    [problem] = pc.verify(new).problems
    assert problem.place.startswith("it cannot be decompressed: ")


def test_documents_hold_the_data_of_compressed_files(folder):
    found = {one.name: one.text for one in write._attachments(folder)}
    with gzip.open(folder / "data" / "scores.csv.gz", "rt", encoding="utf-8") as file:
        assert found["data/scores.csv"] == file.read()
    assert "tables/omnibus.csv" in found and "tables/pairs.csv" not in found


def test_another_number_in_a_shortened_list_is_found(folder, tmp_path, monkeypatch):
    take_for_large(monkeypatch)
    new = shutil.copytree(folder, tmp_path / "report")
    whole = held(new)
    whole["analyses"][0]["pairs"]["first"][1]["p_value"] = 0.5
    (new / "results.json").write_text(json.dumps(whole, indent=1) + "\n")
    found = pc.verify(new, recompute=True).problems
    [made] = [one for one in found if one.what == "recomputed"]
    assert made.place.startswith("analyses/0/pairs/first/1/p_value is 0.5, computed")


def test_large_json_files_have_no_indentation_and_places_all_the_same(
    folder, tmp_path, monkeypatch
):
    monkeypatch.setattr(write, "_MOST_INDENTED", 1000)
    new = pc.report(pc.compare(pc.example(), PLAN), tmp_path / "report")
    path, whole = new / "results.json", held(new)
    assert "\n " in (folder / "results.json").read_text(encoding="utf-8")
    text = path.read_text(encoding="utf-8")
    assert "\n " not in text and json.dumps(whole, indent=0) == text.rstrip()
    assert pc.verify(new).passed
    whole["analyses"][0]["pairs"][1]["p_value"] = 0.5
    path.write_text(f"{json.dumps(whole, indent=0)}\n", encoding="utf-8")
    [problem] = pc.verify(new).problems
    assert problem.place == "analyses/0/pairs/1/p_value"


def test_an_ordinary_result_is_written_whole():
    comparison = pc.compare(pc.example(), PLAN)
    assert shortened.shortened(comparison.to_dict) == comparison.to_dict()


def test_only_mappings_of_very_many_names_are_shortened():
    few = {str(i): [i] for i in range(1000)}
    many = {**few, "1000": [1000]}
    assert shortened.cut(few, 10) == few
    first = {str(i): [i] for i in range(10)}
    assert shortened.cut(many, 10) == {"entries": 1001, "first": first}


def test_a_beginning_has_the_counterparts_in_r_that_the_whole_has():
    comparison = pc.compare(pc.example(), PLAN)
    results = {"made_by": "a test", **comparison.to_dict()}

    def of(results):
        [text] = numbers_file(results, comparison.results()).values()
        rows = (line.split(",") for line in text.splitlines())
        return {row[1].replace("/first/", "/"): row[2:5] for row in rows}

    whole, part = of(results), of(shortened.cut(results, 4))
    counted = [place for place in part if "entries" in place]
    assert len(counted) > 3 and len(part) > 100
    for place in set(part) - set(counted):
        assert part[place][1] == whole[place][1], place
    assert len(dict(leaves(results))) > len(part)


def test_hodges_lehmann_differences_of_many_pairs_are_those_of_each_pair():
    rng = np.random.default_rng(1)
    values = np.round(rng.normal(size=(12, 5)), 1)
    values[:, 4] = values[:, 3]
    names = [f"A{j}" for j in range(5)]
    scores = pc.Scores.from_wide(
        pd.DataFrame(values, columns=names), metric="m", better="higher"
    )
    table = pc.hodges_lehmann(scores).table
    for row in table.itertuples():
        pair = scores.select(algorithms=[row.algorithm_1, row.algorithm_2])
        alone = pc.hodges_lehmann(pair, level=1 - 0.05 / 10).table.iloc[0]
        for name in ("estimate", "conf_low", "conf_high", "rank_biserial"):
            np.testing.assert_equal(alone[name], getattr(row, name))


@pytest.mark.parametrize("n", [8, signed_rank.MOST + 1])
def test_limits_of_many_pairs_hold_no_other_means(n):
    """A view would keep the n (n + 1) / 2 means of every pair: 5 GB for 500 x 100."""
    d = np.random.default_rng(2).normal(size=(6, n))
    *found, _ = hodges_lehmann_rows(d, np.zeros((6, n)), "two-sided", 0.95)
    assert all(column.base is None for column in found)


def test_tables_as_csv_have_every_digit_and_no_text_for_what_is_missing():
    table = pd.DataFrame(
        {
            "=name": ["=1", "b,c", None, "'"],
            "x": [0.1 + 0.2, np.nan, -np.inf, 1e-300],
            "n": pd.array([1, None, 3, 4], "Int64"),
            "yes": [True, False, True, True],
            "mixed": [np.float64(0.1), "a", 2, np.nan],
        }
    )
    assert to_csv(table).splitlines() == [
        "'=name,x,n,yes,mixed",
        "'=1,0.30000000000000004,1,True,0.1",
        '"b,c",,,False,a',
        ",-inf,3,True,2",
        "',1e-300,4,True,",
    ]
