"""The command line: one file per command, loaded when it is called."""

from __future__ import annotations

from pycompare.apps.cli.app import cli, main

__all__ = ["cli", "main"]
