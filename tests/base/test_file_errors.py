"""Every error of the system names the file and says what to do, in one line."""

import errno
import os
from pathlib import Path

import pytest

from pycompare.base.file_errors import told
from pycompare.base.whole_file import write_whole
from pycompare.reporting.folder import write_aside


def full(_):
    raise OSError(errno.ENOSPC, "No space left on device")


FULL = "{}: No space left on device. Free space on this disk, or choose a place on "


@pytest.mark.parametrize("write", [write_whole, write_aside])
def test_a_full_disk_names_what_was_to_be_written(tmp_path, write):
    with pytest.raises(OSError) as raised:
        write(tmp_path / "out", full)
    assert told(raised.value).startswith(FULL.format(tmp_path / "out"))
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_written_aside_is_named_by_its_place(tmp_path):
    def fill(new: Path) -> None:
        (new / "tables" / "a.csv").write_text("")

    with pytest.raises(OSError) as raised:
        write_aside(tmp_path / "out", fill)
    assert told(raised.value).startswith(f"{tmp_path}/out/tables/a.csv: No such file")


@pytest.mark.parametrize("number", [*errno.errorcode])
def test_each_error_is_one_line_with_advice(number):
    error = OSError(number, "reason", os.fsencode("a\nb"))
    assert told(error).endswith(".") and os.strerror(number) in told(error)


def test_a_full_disk_while_a_command_writes(pycompare, tmp_path, monkeypatch):
    from pycompare.reporting.render import html

    monkeypatch.setattr(html, "page", full)
    (tmp_path / "s.csv").write_text("block,a,b\n1,.5,.6\n2,.4,.6\n3,.1,.2\n4,.1,.3\n")
    table, out = tmp_path / "s.csv", tmp_path / "report"
    how = ("--wide", "--metric", "accuracy:higher", "--out", out)
    status, _, stderr = pycompare("compare", table, *how)
    assert status == 2 and FULL.format(out) in stderr and "Errno" not in stderr
