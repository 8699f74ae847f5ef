"""The command line: within this process, and as a process of its own."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pycompare.apps import cli

ROOT = Path(__file__).parents[1]


def command(*arguments: object) -> tuple[int, str, str]:
    """Run a command; return its status and what it says on stdout and stderr."""
    said = [io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2)]
    before, sys.argv = sys.argv, ["pycompare", *map(str, arguments)]
    try:
        with contextlib.redirect_stdout(said[0]), contextlib.redirect_stderr(said[1]):
            cli.main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(bool(ended.code))
        return code, *map(text_of, said)
    finally:
        sys.argv = before
    raise AssertionError("a command ends with a status")


def text_of(stream: io.TextIOWrapper) -> str:
    """Return what was written."""
    stream.flush()
    return stream.buffer.getvalue().decode("utf-8")


def process(
    *arguments: object, before: Sequence[str] = (), **options: Any
) -> subprocess.CompletedProcess:
    """Run a command in a process of its own, behind another program if one is given."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **options.pop("env", {})}
    return subprocess.run(
        [*before, sys.executable, "-m", "pycompare.apps.cli", *arguments],
        env=environment,
        capture_output=True,
        **options,
    )
