"""The study of faults: its page, what it tried, and the disk that it fills."""

from __future__ import annotations

import json

from validation.faults.commands import COMMANDS
from validation.faults.full_disk import each_write
from validation.faults.page import PAGE, page
from validation.faults.trials import STORED, faults, in_order

LINES = [json.loads(line) for line in STORED.read_text().splitlines()]


def test_the_page_is_that_of_the_stored_lines():
    assert PAGE.read_text(encoding="utf-8") == page(LINES)
    assert in_order(LINES) == LINES


def test_every_command_met_every_fault_and_nothing_was_wrong():
    tried = {(line["fault"], line["command"]) for line in LINES}
    for fault in ("kill -9", "full disk", "two at once"):
        assert {name for kind, name in tried if kind == fault} == {*COMMANDS}
    assert tried == {(fault, name) for fault, _, name, _ in faults(1)}
    assert [line["wrong"] for line in LINES if line["wrong"]] == []


def test_two_hundred_kills_met_the_commands_that_write():
    kills = [line for line in LINES if line["fault"] == "kill -9"]
    assert sum(line["tried"] for line in kills if line["command"] != "curves") >= 200


WRITES = """
import sys
with open("OUT", "wb", buffering=0) as file:
    for part in (b"a", b"b", b"c"):
        file.write(part)
print("done", file=sys.stderr)
"""


def test_a_disk_is_full_from_each_write_on(tmp_path):
    held = []
    for status, said in each_write(("-c", WRITES, "OUT"), tmp_path, {}):
        held.append((tmp_path / "OUT").read_bytes())
        if status == 0:
            break
        assert "No space left on device" in said
    assert held == [b"", b"a", b"ab", b"abc"] and said == "done\n"
