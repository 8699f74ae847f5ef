"""`make versions` names a Python that is not here, and runs the others."""

from __future__ import annotations

import subprocess
import sys

from tests import versions


def test_a_missing_interpreter_is_named_and_is_no_pass(capsys):
    assert versions.main(["3.99"], ["tests/test_rom.py"]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told == [
        "Python 3.99, newest libraries: this machine has no python3.99",
    ]


def test_the_lowest_versions_run_on_the_lowest_python():
    pythons = list(versions.environments(["3.11", "3.13"]))
    assert pythons == [("3.11", True), ("3.11", False), ("3.13", False)]


def test_libraries_that_cannot_be_installed_are_no_pass(capsys, monkeypatch):
    def fails(*_) -> None:
        raise subprocess.CalledProcessError(1, "uv")

    here = "{}.{}".format(*sys.version_info[:2])
    monkeypatch.setattr(versions, "prepared", fails)
    monkeypatch.setattr(versions, "interpreter", lambda _: sys.executable)
    monkeypatch.setattr(versions, "environments", lambda _: [(here, False)])
    assert versions.main([here], ["tests/kernels"]) == 1
    told = capsys.readouterr().out.splitlines()[-1]
    assert told.endswith(
        "newest libraries: the libraries cannot be installed (see above)"
    )


def test_a_program_that_only_bears_the_name_is_no_interpreter(tmp_path, monkeypatch):
    shim = tmp_path / "python3.99"
    shim.write_text("#!/bin/sh\nexit 127\n", encoding="utf-8")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert versions.interpreter("3.99") is None
    here = "{}.{}".format(*sys.version_info[:2])
    (tmp_path / f"python{here}").symlink_to(sys.executable)
    assert versions.interpreter(here) == tmp_path / f"python{here}"


def test_without_a_version_it_says_how_it_is_called():
    command = [sys.executable, "-m", "tests.versions", "tests/kernels"]
    ended = subprocess.run(command, cwd=versions.ROOT, capture_output=True, text=True)
    assert ended.returncode == 1
    assert "usage: python -m tests.versions VERSION... [TESTS...]" in ended.stderr
