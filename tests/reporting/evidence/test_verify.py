"""``verify`` names what was changed, and computes every number again."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import shutil
import subprocess
import tracemalloc

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.errors import InputError
from pycompare.base.formatting import packed
from tests.reporting.evidence.reports import MAKERS

pytestmark = pytest.mark.usefixtures("blank_pictures")

TAMPERINGS = 40


@pytest.fixture
def folder(reports, tmp_path):
    return shutil.copytree(reports("folds"), tmp_path / "report")


@pytest.mark.parametrize("kind", MAKERS)
def test_a_report_comes_out_again_with_every_number(reports, kind):
    found = pc.verify(reports(kind), recompute=True)
    assert found.passed, found.summary()
    held = json.loads((reports(kind) / "results.json").read_text())
    assert found.again.numbers > 50
    assert found.files == len(list(reports(kind).rglob("*.*"))) - 1
    assert held["made_by"].startswith("pycompare")


def test_a_plan_file_makes_the_report_again(tmp_path, pycompare):
    (tmp_path / "s.csv").write_text(pc.example_path().read_text())
    plan = tmp_path / "plan.toml"
    plan.write_text(
        '[data]\nfile = "s.csv"\nformat = "wide"\nblock = "dataset"\n'
        '[metrics]\naccuracy = "higher"\n[plan]\ncontrol = "CN2"\nblocks = "datasets"\n'
    )
    out = tmp_path / "out"
    assert pycompare("run", plan, "--out", out)[0] == 0
    status, text, _ = pycompare("verify", out, "--recompute", "--json")
    assert status == 0 and json.loads(text)["again"]["numbers"] > 50


# ---- tampering -----------------------------------------------------------------------


def tampered(folder, rng) -> tuple[str, str]:
    """Change one cell, value, figure or page; return the file and the place."""
    kind = rng.choice(["cell", "value", "figure", "page"])
    if kind == "cell":
        return cell(folder, rng)
    if kind == "value":
        return value(folder, rng)
    name = "report.html"
    if kind == "figure":
        figures = sorted((folder / "figures").iterdir())
        name = f"figures/{figures[rng.integers(len(figures))].name}"
    content = bytearray((folder / name).read_bytes())
    content[rng.integers(len(content))] ^= 1
    (folder / name).write_bytes(content)
    return name, ""


def cell(folder, rng) -> tuple[str, str]:
    tables = sorted([*folder.glob("tables/*.csv"), *folder.glob("data/*.csv")])
    path = tables[rng.integers(len(tables))]
    rows = list(csv.reader(io.StringIO(path.read_text())))
    at, k = rng.integers(1, len(rows)), rng.integers(len(rows[0]))
    rows[at][k] = rows[at][k] + "0" if rows[at][k] else "0"
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    path.write_text(text.getvalue())
    return path.relative_to(folder).as_posix(), f"row {at}, column {rows[0][k]}"


def value(folder, rng) -> tuple[str, str]:
    path = folder / "results.json"
    held = json.loads(path.read_text())
    analysis = int(rng.integers(2))
    pair = int(rng.integers(10))
    key = str(rng.choice(["estimate", "p_value", "p_tukey"]))
    held["analyses"][analysis]["pairs"][pair][key] += 0.125
    path.write_text(json.dumps(held, indent=1) + "\n")
    return "results.json", f"analyses/{analysis}/pairs/{pair}/{key}"


@pytest.mark.parametrize("seed", range(TAMPERINGS))
def test_one_change_is_named(folder, seed):
    file, place = tampered(folder, np.random.default_rng(seed))
    found = pc.verify(folder)
    assert [(one.file, one.what, one.place) for one in found.problems] == [
        (file, "changed", place)
    ]
    assert str(found.problems[0]) in found.summary()


def test_files_that_are_gone_or_new_or_links_are_named(folder, tmp_path):
    (folder / "tables" / "metric1_pairs.csv").unlink()
    (folder / "tables" / "new.csv").write_text("x\n1\n")
    (tmp_path / "elsewhere").write_text("secret")
    (folder / "report.html").unlink()
    (folder / "report.html").symlink_to(tmp_path / "elsewhere")
    problems = {str(one) for one in pc.verify(folder).problems}
    assert problems == {
        "tables/metric1_pairs.csv is missing",
        "tables/new.csv was added",
        "report.html was changed: it is a link now",
    }


def test_rows_and_values_that_are_gone_are_named(folder):
    table = folder / "tables" / "metric1_means.csv"
    table.write_text("\n".join(table.read_text().splitlines()[:-1]) + "\n")
    results = json.loads((folder / "results.json").read_text())
    del results["analyses"][0]["pairs"][2]["p_value"]
    (folder / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    places = {one.file: one.place for one in pc.verify(folder).problems}
    assert places["tables/metric1_means.csv"].startswith("4 rows and")
    assert places["results.json"].endswith("from analyses/0/pairs/2/p_adjusted")


def test_a_number_that_was_forged_with_its_hash_does_not_come_out_again(folder):
    results = json.loads((folder / "results.json").read_text())
    results["analyses"][1]["pairs"][4]["p_value"] = 0.0012
    content = (json.dumps(results, indent=1) + "\n").encode()
    (folder / "results.json").write_bytes(content)
    held = json.loads((folder / "manifest.json").read_text())
    from pycompare.reporting.evidence.manifest import file_entry

    held["outputs"]["results.json"] = file_entry("results.json", content)
    (folder / "manifest.json").write_text(json.dumps(held))
    assert pc.verify(folder).passed
    [problem] = pc.verify(folder, recompute=True).problems
    assert problem.what == "recomputed"
    assert problem.place.startswith("analyses/1/pairs/4/p_value is 0.0012")


@pytest.mark.parametrize("damage", ["", "1,2\n", "block,algorithm,error\nx,y,z\n"])
def test_data_that_cannot_be_read_are_a_problem_and_no_crash(folder, damage):
    (folder / "data" / "scores.csv").write_text(damage)
    found = pc.verify(folder, recompute=True)
    assert {one.what for one in found.problems} == {"changed", "recomputed"}


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", "[" * 100_000, '{"made_by": "pycompare manifest"}']
)
def test_a_manifest_that_is_none_is_refused(tmp_path, text):
    with pytest.raises(InputError, match=r"manifest\.json"):
        pc.verify(tmp_path)
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(InputError, match=r"manifest\.json"):
        pc.verify(tmp_path)


def test_the_exit_status_is_1_if_anything_was_changed(folder, pycompare):
    assert pycompare("verify", folder)[0] == 0
    (folder / "report.html").write_text("")
    status, text, _ = pycompare("verify", folder)
    assert status == 1 and "report.html was changed" in text
    status, _, problem = pycompare("verify", folder.parent)
    assert status == 2 and "has no manifest.json" in problem


# ---- signatures ----------------------------------------------------------------------


@pytest.fixture
def signed(folder, tmp_path):
    """Return the folder with a signature, and the file of allowed signers."""
    key = tmp_path / "key"
    run = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "ann", "-f", key]
    subprocess.run(run, check=True)
    sign = ["ssh-keygen", "-Y", "sign", "-n", "pycompare", "-f", key]
    subprocess.run([*sign, folder / "manifest.json"], check=True, capture_output=True)
    signers = tmp_path / "signers"
    signers.write_text(f"ann@lab {key.with_suffix('.pub').read_text()}")
    return folder, signers


def test_a_signature_is_checked_and_says_whose_it_is(signed, pycompare):
    folder, signers = signed
    found = pc.verify(folder)
    assert found.passed and found.signature.good and not found.signature.trusted
    assert "was not checked" in found.summary()
    found = pc.verify(folder, signers=signers, signer="ann@lab")
    assert found.passed and found.signature.trusted
    assert "ann@lab" in found.signature.text
    status, text, _ = pycompare(
        "verify", folder, "--signers", signers, "--signer", "bob@lab"
    )
    assert status == 1 and "manifest.json is not signed as it should be" in text


def test_a_signature_of_another_manifest_is_a_problem(signed):
    folder, signers = signed
    path = folder / "manifest.json"
    path.write_text(path.read_text().replace('"seed": 0', '"seed": 1'))
    for how in ({}, {"signers": signers, "signer": "ann@lab"}):
        [problem] = pc.verify(folder, **how).problems
        assert problem.what == "signature"


def test_a_signature_that_must_be_there_is_missed(folder, tmp_path):
    (tmp_path / "signers").write_text("")
    found = pc.verify(folder, signers=tmp_path / "signers", signer="ann@lab")
    assert [one.place for one in found.problems] == ["there is no manifest.json.sig"]
    with pytest.raises(InputError, match="belong together"):
        pc.verify(folder, signer="ann@lab")


# ---- what is no file -----------------------------------------------------------------


@pytest.mark.skipif(os.name != "posix", reason="pipes have names on POSIX only")
def test_a_pipe_in_place_of_a_file_is_found_and_never_waited_for(folder):
    (folder / "results.json").unlink()
    os.mkfifo(folder / "results.json")
    found = pc.verify(folder, recompute=True)
    assert "results.json was changed: it is no file now" in found.summary()
    with pytest.raises(InputError, match=r"results\.json is no JSON file"):
        pc.diff(folder, folder)


def test_nesting_without_end_is_no_results(folder):
    (folder / "results.json").write_text("[" * 100_000)
    assert not pc.verify(folder).passed
    with pytest.raises(InputError, match=r"results\.json is no JSON file"):
        pc.diff(folder, folder)


@pytest.mark.parametrize("outputs", [None, [1], "x", {"report.html": 5}])
def test_a_manifest_that_lists_no_files_is_refused_by_name(folder, outputs):
    held = json.loads((folder / "manifest.json").read_text())
    text = json.dumps(held | {"outputs": outputs})
    (folder / "manifest.json").write_text(text)
    with pytest.raises(InputError, match=r"manifest\.json: outputs does not list"):
        pc.verify(folder)


def test_a_compressed_file_may_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(packed, "_MOST", 1_000_000)
    bomb = gzip.compress(bytes(1_000_001))
    with pytest.raises(InputError, match=r"more than .* GB when decompressed"):
        packed.unpack("numbers.csv.gz", bomb)


def test_a_small_compressed_file_takes_little_memory():
    small = packed.pack("numbers.csv.gz", "x")
    tracemalloc.start()
    assert packed.unpack("numbers.csv.gz", small) == b"x"
    assert tracemalloc.get_traced_memory()[1] < 10 * 2**20
    tracemalloc.stop()
