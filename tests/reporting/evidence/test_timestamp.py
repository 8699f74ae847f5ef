"""Time stamps by RFC 3161: made by an authority of the test, checked by openssl."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

import pycompare as pc
from pycompare.base.errors import InputError
from pycompare.designs.plans.trail import read_trail, trail_path
from pycompare.reporting.evidence.timestamp import check_timestamp

pytestmark = pytest.mark.skipif(
    shutil.which("openssl") is None, reason="openssl makes and checks time stamps"
)
CONFIG = """
[tsa]
default_tsa = tsa1
[tsa1]
serial = {folder}/serial
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
"""
PLAN = """\
[data]
file = "scores.csv"
format = "wide"
block = "dataset"

[metrics]
accuracy = "higher"

[plan]
blocks = "datasets"
"""
BY = ("--by", "Ann Lee")


def openssl(*words):
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)


def authority(folder):
    """Make an authority: its key and its certificate."""
    folder.mkdir()
    (folder / "serial").write_text("01\n")
    (folder / "tsa.cnf").write_text(CONFIG.format(folder=folder))
    openssl(
        *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
        *("-nodes", "-subj", "/CN=stamps", "-days", "2"),
        *("-addext", "extendedKeyUsage=critical,timeStamping"),
        *("-keyout", folder / "key.pem", "-out", folder / "cert.pem"),
    )
    return folder


def stamp(tsa, file, to):
    """Let an authority stamp a file."""
    query = to.with_suffix(".tsq")
    openssl(
        *("ts", "-query", "-data", file, "-sha256", "-cert", "-no_nonce"),
        *("-out", query),
    )
    openssl(
        *("ts", "-reply", "-queryfile", query, "-config", tsa / "tsa.cnf"),
        *("-signer", tsa / "cert.pem", "-inkey", tsa / "key.pem", "-out", to),
    )
    return to


@pytest.fixture(scope="module")
def tsa(tmp_path_factory):
    return authority(tmp_path_factory.mktemp("tsa") / "one")


@pytest.fixture
def plan(tmp_path, pycompare):
    text = pc.example_path().read_text().splitlines(keepends=True)
    (tmp_path / "scores.csv").write_text("".join(text[:8]))
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    assert pycompare("plan", path, "--seal", *BY)[0] == 0
    return path


def test_a_stamped_trail_may_grow_and_not_change(plan, tsa, pycompare):
    trail = trail_path(plan)
    response = stamp(tsa, trail, plan.with_name("seal.tsr"))
    assert pycompare("plan", plan, "--seal", "--by", "Bo")[0] == 0
    words = ("verify", trail, "--timestamp", response)
    status, text, _ = pycompare(*words, "--authority", tsa / "cert.pem")
    assert status == 0 and "Time stamp: entry 1 of the trail existed at" in text
    assert "not checked" not in text
    status, text, _ = pycompare(*words)
    assert status == 0 and "Whose time it is was not checked" in text
    status, text, _ = pycompare(*words, "--json")
    assert json.loads(text)["timestamp"]["covers"] == "entry 1 of the trail"
    # A trail that is forged from its first entry is whole, and was not stamped.
    lines = [e.line for e in read_trail(trail).entries]
    trail.write_text(lines[0].replace("Ann Lee", "Eve") + "\n")
    assert not read_trail(trail).problems
    status, text, _ = pycompare(*words, "--authority", tsa / "cert.pem")
    assert status == 1 and "No valid time stamp: it is of other bytes" in text


def test_a_stamp_of_another_authority_is_not_valid(plan, tsa, tmp_path, pycompare):
    response = stamp(tsa, trail_path(plan), tmp_path / "seal.tsr")
    other = authority(tmp_path / "other")
    words = ("verify", trail_path(plan), "--timestamp", response)
    status, text, _ = pycompare(*words, "--authority", other / "cert.pem")
    assert status == 1 and "not of this authority" in text


def test_a_report_is_stamped_by_its_manifest(tsa, tmp_path, blank_pictures):
    plan = pc.Plan(blocks="datasets", compares="ranks")
    folder = pc.report(pc.compare(pc.example(), plan), tmp_path / "r", formats=["text"])
    response = stamp(tsa, folder / "manifest.json", tmp_path / "r.tsr")
    found = pc.verify(folder, timestamp=response, authority=tsa / "cert.pem")
    assert found.passed and found.timestamp.trusted
    assert "manifest.json existed at" in found.summary()
    (tmp_path / "x").write_text("x")
    other = stamp(tsa, tmp_path / "x", tmp_path / "x.tsr")
    [problem] = pc.verify(folder, timestamp=other).problems
    assert str(problem) == (
        "manifest.json has no valid time stamp: it is of other bytes than these"
    )


def test_a_file_that_is_no_stamp_is_a_problem_and_no_crash(tmp_path):
    (tmp_path / "x.tsr").write_bytes(b"\0\1no stamp")
    found = check_timestamp([("x", b"x")], tmp_path / "x.tsr", None)
    assert not found.good and "holds no time stamp" in found.text
    with pytest.raises(InputError, match="there is no file"):
        check_timestamp([("x", b"x")], tmp_path / "none.tsr", None)
    with pytest.raises(InputError, match="checks a time stamp: name it"):
        check_timestamp([("x", b"x")], None, tmp_path / "x.tsr")


def test_without_openssl_nothing_is_said_to_be_checked(tmp_path, monkeypatch):
    (tmp_path / "x.tsr").write_bytes(b"x")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="there is no openssl"):
        check_timestamp([("x", b"x")], tmp_path / "x.tsr", None)
