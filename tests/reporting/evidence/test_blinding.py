"""Blinded reports hold no name of an algorithm; unblinding changes no number."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
import re
import shutil
import zipfile
import zlib
from collections import Counter
from itertools import permutations

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.designs.blinding import blinded, key_from, key_path
from pycompare.reporting.evidence.json_places import leaves
from pycompare.reporting.render import RENDERERS
from tests.conftest import drawings
from tests.many_predictions import predictions
from tests.reporting.render.samples import HOSTILE

pytestmark = pytest.mark.usefixtures("blank_pictures")

ALL = tuple(RENDERERS)
CORE = "qzvx"
"""Letters of every name: no escape changes them, and no other text has them."""
NAMES = [f"{text[:40]}{CORE}{k}" for k, text in enumerate(HOSTILE[:8:2])]


def table(names=NAMES, blocks=12, seed=4) -> pd.DataFrame:
    values = np.random.default_rng(seed).normal(size=(blocks, len(names)))
    return pd.DataFrame(values + np.arange(len(names)) / 2, columns=names)


def scores(names=NAMES) -> pc.Scores:
    return pc.Scores.from_wide(table(names), metric="u", better="higher")


def contents(folder):
    """Yield every file, and what is compressed in it."""
    for path in sorted(folder.rglob("*")):
        if path.is_dir():
            continue
        held = path.read_bytes()
        yield path.name, held
        if path.suffix == ".docx":
            archive = zipfile.ZipFile(io.BytesIO(held))
            yield from ((path.name, archive.read(n)) for n in archive.namelist())
        if path.suffix == ".pdf":
            for found in re.finditer(rb"stream\r?\n(.*?)endstream", held, re.DOTALL):
                try:
                    yield path.name, zlib.decompressobj().decompress(found[1])
                except zlib.error:
                    continue


def where_named(folder, words=(CORE,)):
    return [
        name
        for name, held in contents(folder)
        for word in words
        if word.encode() in held or word.encode("utf-16-be") in held
    ]


def numbers(folder):
    held = json.loads((folder / "results.json").read_text())
    found = leaves({"analyses": held["analyses"]})
    return [value for _, value in found if not isinstance(value, str)]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A blinded report of hostile names, with its pictures."""
    folder = tmp_path_factory.mktemp("blinded") / "report"
    plan = pc.Plan(blocks="datasets", control=NAMES[3], blind=True)
    with drawings():
        return pc.report(pc.compare(scores(), plan), folder, formats=ALL)


def test_no_name_is_in_any_byte_of_a_blinded_report(hostile):
    assert len(list(hostile.rglob("*"))) > 15
    assert where_named(hostile) == []


@pytest.fixture(scope="module")
def named(hostile):
    with drawings():
        return pc.unblind(hostile, hostile.with_name("named"), formats=ALL)


def test_the_search_finds_names_where_they_are(named):
    found = set(where_named(named))
    assert {f"report.{made.ending}" for made in RENDERERS.values()} <= found
    assert {"results.json", "manifest.json", "reproduce.R", "scores.csv"} <= found


@pytest.mark.usefixtures("pictures_here")
def test_an_opened_report_is_the_one_without_codes(named, tmp_path):
    plan = pc.Plan(blocks="datasets", control=NAMES[3])
    without = pc.report(pc.compare(scores(), plan), tmp_path / "without")
    assert numbers(without) == numbers(named)
    assert len(numbers(named)) > 50
    held = json.loads((named / "manifest.json").read_text())
    assert held["blinding"]["state"] == "unblinded"
    assert held["plan"]["asked"]["control"] == NAMES[3]
    assert pc.verify(named, recompute=True).passed


@pytest.mark.usefixtures("pictures_here")
def test_a_blinded_report_is_checked_with_its_key(hostile, tmp_path):
    found = pc.verify(hostile, recompute=True)
    assert found.passed and "key is the one" in found.summary()
    other = tmp_path / "other.json"
    other.write_text(key_path(hostile).read_text().replace(f"{CORE}1", f"{CORE}9"))
    found = pc.verify(hostile, key=other)
    assert [str(p) for p in found.problems] == [
        "other.json is not the key of this blinded report"
    ]
    with pytest.raises(pc.InputError, match="not the key"):
        pc.unblind(hostile, tmp_path / "named", key=other)


def test_without_its_key_a_blinded_report_says_what_was_not_checked(hostile, tmp_path):
    alone = shutil.copytree(hostile, tmp_path / "alone")
    found = pc.verify(alone)
    assert found.passed
    assert "Not checked: which names the codes stand for" in found.summary()
    assert "because alone.key.json is not there" in found.summary()


def test_commands_without_blinding_name_those_that_have_it(pycompare):
    status, _, err = pycompare("model", "x.csv", "--blind")
    assert status == 2
    assert "No such option '--blind'" in err
    assert "It is an option of: compare, curves, mrmc." in err


def test_names_and_data_do_not_lead_to_the_codes(hostile):
    key = key_from(key_path(hostile).read_text())
    hashes = set(
        re.findall(rb"[0-9a-f]{64}", b"".join(h for _, h in contents(hostile)))
    )
    assert key.sha256.encode() in hashes
    # Who knows the names, the data and the folder tries every order of the names.
    for order in permutations(NAMES):
        guessed = dict(zip(key.codes, order, strict=True))
        for salt in ("", "0" * 64, key.data_sha256):
            guess = dataclasses.replace(key, codes=guessed, secret=salt)
            assert guess.sha256.encode() not in hashes
            without = json.loads(guess.text())
            del without["secret"]
            text = json.dumps(without, indent=1) + "\n"
            assert hashlib.sha256(text.encode()).hexdigest().encode() not in hashes
    assert len(key.secret) == 64 and where_named(hostile, [key.secret]) == []


def test_files_written_again_from_the_folder_find_no_hash(tmp_path, pycompare):
    """An attacker knows the names, how both files are written, and the folder."""
    names, data, plan = list("pqrs"), tmp_path / "data.csv", tmp_path / "plan.toml"
    table([f"{CORE}{k}" for k in names]).round(3).to_csv(data, index_label="block")
    text = (
        '[data]\nfile = "data.csv"\nformat = "wide"\nblock = "block"\n'
        '[metrics]\nu = "higher"\n'
        '[plan]\nblocks = "datasets"\nblind = true\ncontrol = "{}"\n'
    )
    plan.write_text(text.format(f"{CORE}q"))
    status, out, err = pycompare("plan", plan, "--seal", "--by", "Ann")
    assert status == 0 and hashlib.sha256(plan.read_bytes()).hexdigest() not in out
    hidden, named = tmp_path / "hidden", tmp_path / "named"
    status, out, err = pycompare("run", plan, "--out", hidden)
    assert status == 0, err
    seen = [held for _, held in contents(hidden)]
    seen += [(tmp_path / "plan.toml.trail.jsonl").read_bytes(), (out + err).encode()]

    held = pd.read_csv(hidden / "data" / "scores.csv", dtype=str)
    wide = held.pivot(index="block", columns="algorithm", values="u")
    wide = wide.loc[[f"{k}" for k in range(12)]]
    guesses = {plan.name: [], data.name: []}
    for order in permutations(names):
        wide.columns = [f"{CORE}{k}" for k in order]
        # The columns of the file are in the order of the names.
        guesses[data.name].append(wide[sorted(wide)].to_csv(index_label="block"))
        guesses[plan.name].append(text.format(f"{CORE}{order[0]}"))
    for path in (plan, data):
        assert path.read_text() in guesses[path.name]
        for guess in map(str.encode, guesses[path.name]):
            found = hashlib.sha256(guess).hexdigest().encode()
            assert not any(found in one for one in seen)

    # What was hashed comes to light with the names, and agrees.
    signed = ("--plan", plan, "--by", "Ann")
    assert pycompare("unblind", hidden, "--out", named, *signed)[0] == 0
    written = json.loads((named / "manifest.json").read_text())
    plain = {one["what"]: one["sha256"] for one in written["inputs"]}
    assert plain["data file"] == hashlib.sha256(data.read_bytes()).hexdigest()
    assert plain["plan file"] == hashlib.sha256(plan.read_bytes()).hexdigest()
    blind = json.loads((hidden / "manifest.json").read_text())["inputs"]
    keyed = {one["what"]: one["sha256"] for one in blind}
    assert written["blinding"]["keyed_hashes"].items() <= keyed.items()
    assert "keyed hashes of the same files" in pc.verify(named).summary()
    written["inputs"][0]["sha256"] = "0" * 64
    (named / "manifest.json").write_text(json.dumps(written))
    assert [str(p) for p in pc.verify(named).problems] == [
        "manifest.json has another hash than the blinded report: data file"
    ]


def test_the_seal_of_a_blinded_plan_needs_its_secret(tmp_path, pycompare):
    plan = tmp_path / "p.toml"
    plan.write_text(
        '[data]\nfile = "d.csv"\nformat = "wide"\nblock = "b"\n'
        '[metrics]\nu = "higher"\n[plan]\nblocks = "datasets"\nblind = true\n'
    )
    assert pycompare("plan", plan, "--seal", "--by", "Ann")[0] == 0
    assert pc.read_plan(plan).trail
    secret = tmp_path / "p.toml.seal.key.json"
    held = secret.read_text()
    for broken in ("{}", held.replace('secret": "', 'secret": "x'), "["):
        secret.write_text(broken)
        with pytest.raises(pc.InputError, match=r"key\.json is not a"):
            pc.read_plan(plan)
    secret.unlink()
    with pytest.raises(pc.InputError, match=r"its secret p.* is not beside it"):
        pc.read_plan(plan)
    secret.write_text(held)
    plan.write_text(plan.read_text() + "\n")
    with pytest.raises(pc.InputError, match="changed after it was sealed"):
        pc.read_plan(plan)


def test_a_blinded_report_is_not_replaced_by_that_with_names(hostile, tmp_path):
    folder = shutil.copytree(hostile, tmp_path / "blinded")
    key, link = key_path(hostile), tmp_path / "link"
    link.symlink_to(folder)
    for target in (folder, link):
        with pytest.raises(pc.InputError, match="would replace the blinded report"):
            pc.unblind(folder, target, key=key, overwrite=True)
    for target in (folder / "named", link / "a" / "b"):
        with pytest.raises(pc.InputError, match="is inside the report "):
            pc.unblind(folder, target, key=key)
    assert pc.verify(folder, key=key).passed


def test_codes_are_drawn_at_random():
    given, plan = scores(), pc.Plan(blocks="datasets", blind=True)
    keys = [blinded(given, plan).key for _ in range(200)]
    orders = Counter(tuple(key.codes.values()) for key in keys)
    # Each of the 24 orders comes 8.3 times on average.
    assert len(orders) > 15 and max(orders.values()) < 40
    assert len({key.secret for key in keys}) == len({key.sha256 for key in keys}) == 200
    # The codes of names that hold all words for them are no hash of the names.
    full = ["algorithm", "treatment", "candidate", "code"]
    stems = [next(iter(blinded(scores(full), plan).key.codes))[:-2] for _ in range(2)]
    assert stems[0] != stems[1] and stems[0].startswith("Algorithm-")


def test_a_second_run_has_another_key_and_the_same_results(hostile, named, tmp_path):
    plan = pc.Plan(blocks="datasets", control=NAMES[3], blind=True)
    again = pc.report(pc.compare(scores(), plan), tmp_path / "again")
    assert key_path(again).read_bytes() != key_path(hostile).read_bytes()
    codes = json.loads(key_path(again).read_text())["codes"]
    assert sorted(codes.values()) == sorted(NAMES)
    assert pc.verify(again, recompute=True).passed
    assert not pc.verify(again, key=key_path(hostile)).passed
    opened = pc.unblind(again, tmp_path / "named")
    assert numbers(opened) == numbers(named)


def test_a_report_that_fails_leaves_the_key_that_was_there(tmp_path, monkeypatch):
    plan = pc.Plan(blocks="datasets", blind=True)
    made = pc.compare(scores(), plan)

    def fail(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("pycompare.reporting.key_beside.write_report", fail)
        pc.report(made, tmp_path / "r")
    assert list(tmp_path.iterdir()) == []
    key_path(tmp_path / "r").write_text("mine")
    with pytest.raises(pc.InputError, match="key of another report"):
        pc.report(made, tmp_path / "r")
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("pycompare.reporting.key_beside.write_report", fail)
        pc.report(made, tmp_path / "r", overwrite=True)
    assert key_path(tmp_path / "r").read_text() == "mine"


def test_codes_are_not_in_any_name():
    names = ["algorithm b", "Treatment 1", "c"]
    plan = pc.Plan(blocks="datasets", blind=True)
    assert pc.compare(scores(names), plan).scores.algorithms[0] == "Candidate 1"


def test_labels_that_hold_a_name_are_refused():
    frame = table(["svm", "knn", "tree"])
    frame.index = [f"d{k}" for k in range(11)] + ["no SVM here"]
    given = pc.Scores.from_wide(frame, metric="u", better="higher")
    with pytest.raises(pc.InputError, match=r"'SVM'.*rename one of the two"):
        pc.compare(given, pc.Plan(blocks="datasets", blind=True))
    frame.index = [f"d{k}" for k in range(11)] + ["svms"]  # another word
    given = pc.Scores.from_wide(frame, metric="u", better="higher")
    assert pc.compare(given, pc.Plan(blocks="datasets", blind=True)).blinding


@pytest.mark.parametrize("key", ["treatment", "margin_reason"])
def test_statements_of_a_plan_that_hold_a_name_are_refused(key):
    margin = {"margin": 0.1, "hypothesis": "equivalence"}
    plan = pc.Plan(blocks="datasets", blind=True, **margin, **{key: "as the SVM"})
    given = scores(["svm", "knn", "tree"])
    with pytest.raises(pc.InputError, match=r"the plan contain.*'SVM'"):
        pc.compare(given, plan)


def test_blinded_predictions_come_back(tmp_path):
    given = predictions(n_datasets=1, folds=6, names=("qzvx", "b", "a"))
    plan = pc.Plan(metrics=("auc",), blind=True)
    hidden = pc.report(pc.compare(given, plan), tmp_path / "hidden")
    assert where_named(hidden, given.algorithms[:1]) == []
    named = pc.unblind(hidden, tmp_path / "named")
    order = list(given.algorithms)
    held = json.loads((named / "results.json").read_text())["data"]["algorithms"]
    assert held == order
    found = pd.read_csv(named / "data" / "predictions.csv")
    one = found[found["algorithm"] == order[0]]["score"].to_numpy()
    b = [given.score[given.rows(block, order[0])] for block in given.blocks]
    assert np.array_equal(one, np.concatenate(b))


def test_the_command_line_blinds_and_unblinds(tmp_path, pycompare):
    names = [f"{CORE}{k}" for k in "abc"]
    table(names).round(3).to_csv(tmp_path / f"{CORE}.csv", index_label="block")
    plan = tmp_path / "plan.toml"
    plan.write_text(
        f'[data]\nfile = "{CORE}.csv"\nformat = "wide"\nblock = "block"\n'
        f'algorithms = ["{CORE}b", "{CORE}a", "{CORE}c"]\n'
        f'[metrics]\nu = "higher"\n'
        f'[plan]\nblocks = "datasets"\ncontrol = "{CORE}b"\nblind = true\n'
    )
    assert pycompare("plan", plan, "--seal", "--by", "Ann")[0] == 0
    hidden, named = tmp_path / "hidden", tmp_path / "named"
    status, out, err = pycompare("run", plan, "--out", hidden)
    assert status == 0 and CORE not in out + err
    assert where_named(hidden) == []
    page = (hidden / "report.html").read_text()
    assert "Plan sealed" in page and "codes stand for" in page
    status, out, err = pycompare("verify", hidden, "--recompute")
    assert status == 0 and "key is the one" in out
    signed = ("--plan", plan, "--by", "Ann")
    assert pycompare("unblind", hidden, "--out", named, *signed)[0] == 0
    held = json.loads((named / "manifest.json").read_text())
    assert held["plan"]["file"]["text"] == plan.read_text()
    trail = held["plan"]["file"]["trail"]
    assert [one["event"] for one in trail] == ["sealed", "run", "unblinded"]
    without = tmp_path / "without.toml"
    without.write_text(plan.read_text().replace("blind = true", ""))
    assert pycompare("run", without, "--out", tmp_path / "without")[0] == 0
    found = pc.diff(named, tmp_path / "without")
    assert found.conclusions_changed == 0 and found.of("numbers").empty
    assert found.compared > 200
    assert pycompare("verify", named, "--recompute")[0] == 0
    status, out, err = pycompare("unblind", named, "--out", tmp_path / "x")
    assert status == 2 and "not a blinded report" in err
