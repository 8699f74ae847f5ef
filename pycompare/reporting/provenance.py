"""Where a report comes from: versions, seed, command line, hashes."""

from __future__ import annotations

import platform
import shlex
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import metadata
from typing import Any

from pycompare._version import __version__
from pycompare.analyses.compare import Comparison
from pycompare.reporting.comparison_report import ComparisonReport

PACKAGES = ("numpy", "scipy", "pandas", "matplotlib", "jinja2", "narwhals", "click")


def versions() -> dict[str, str]:
    """Return the versions of everything that made the numbers."""
    found = {"pycompare": __version__, "Python": sys.version.split()[0]}
    for name in PACKAGES:
        found[name] = metadata.version(name)
    return found | {"platform": platform.platform()}


def provenance(told: ComparisonReport, command: Sequence[str] | None) -> dict[str, Any]:
    """Return what is needed to make the report again."""
    scores = told.comparison.scores
    source = scores.source
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "file": None if source is None else source.name,
        "file_sha256": None if source is None else source.sha256,
        "scores_sha256": scores.sha256,
        "command": None if command is None else shlex.join(command),
        "plan_file": plan_file(told.comparison),
        "seed": told.comparison.plan.seed,
        "randomness": told.randomness(),
        "versions": versions(),
    }


def plan_file(comparison: Comparison) -> dict[str, str] | None:
    """Return the plan file as it was read: its hash is that of the text in UTF-8."""
    found = comparison.plan_file
    if found is None:
        return None
    return {"name": found.name, "sha256": found.sha256, "text": found.text}
