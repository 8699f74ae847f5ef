"""The bill of materials names every pin with its hashes, and no address."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PINS = ROOT / "requirements" / "report.txt"


def written(requirements: Path, folder: Path) -> str:
    """Return the bill that the script writes."""
    target = folder / "new" / "bom.cdx.json"
    command = [sys.executable, ROOT / "packaging" / "sbom.py", requirements, target]
    subprocess.run(command, check=True, capture_output=True, cwd=folder)
    return target.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def text(tmp_path_factory) -> str:
    return written(PINS, tmp_path_factory.mktemp("bill"))


@pytest.fixture(scope="module")
def bill(text) -> dict:
    return json.loads(text)


def pinned() -> dict[tuple[str, str], set[str]]:
    """Return the hashes of each pin, read in another way than the script does."""
    logical = PINS.read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    pins = [line for line in logical if re.match(r"[\w.-]+==", line)]
    return {
        tuple(line.split()[0].split("==")): set(re.findall(r"sha256:(\w{64})", line))
        for line in pins
    }


def test_names_versions_and_hashes_are_those_of_the_pins(bill):
    listed = {
        (part["name"], part["version"]): {h["content"] for h in part["hashes"]}
        for part in bill["components"]
    }
    assert listed == pinned() and len(listed) > 20
    assert all(h["alg"] == "SHA-256" for c in bill["components"] for h in c["hashes"])


def test_it_is_a_bill_of_this_project(bill):
    about = bill["metadata"]["component"]
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert about["name"] == "pycompare-stats"
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", bill["serialNumber"])


def test_dependencies_lead_from_the_project_to_every_library(bill):
    needs = {line["ref"]: line["dependsOn"] for line in bill["dependencies"]}
    assert len(needs) == len(bill["components"]) + 1
    reached, waiting = set(), [bill["metadata"]["component"]["bom-ref"]]
    while waiting:
        reference = waiting.pop()
        if reference not in reached:
            reached.add(reference)
            waiting += needs[reference]
    assert reached == set(needs)


def test_it_holds_no_address_and_has_the_same_bytes_each_time(text, tmp_path):
    assert "://" not in text
    assert written(PINS, tmp_path) == text


def test_a_line_that_is_no_pin_ends_it(tmp_path):
    (tmp_path / "pins.txt").write_text("numpy>=2\n", encoding="utf-8")
    with pytest.raises(subprocess.CalledProcessError) as stopped:
        written(tmp_path / "pins.txt", tmp_path)
    assert b"line 1 is no pin, hash or comment: 'numpy>=2'" in stopped.value.stderr
