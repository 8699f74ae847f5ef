"""Small files that commands write."""

from __future__ import annotations

from pathlib import Path

import click

from pycompare.base.file_errors import about


def write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet."""
    try:
        stream = path.open("x", encoding="utf-8")
    except FileExistsError:
        raise click.UsageError(f"{path} exists; choose another name") from None
    with about(path), stream:
        stream.write(text)
