"""The evidence file as documents and as JSON."""

from __future__ import annotations

import json
import shutil
from datetime import datetime
from pathlib import Path

from pycompare.reporting import folder
from pycompare.reporting.evidence.manifest import (
    MANIFEST,
    ReportData,
    manifest,
)
from pycompare.reporting.evidence.manifest import (
    Evidence as Recorded,
)
from pycompare.reporting.provenance import now, provenance
from pycompare.reporting.render import RENDERERS, is_available

from .evidence import Evidence
from .qualification import documents

MARK = folder.FolderMark(
    "pycompare validation",
    "evidence.json",
    ("evidence.*", "own_data/*", "qualification/*", f"{MANIFEST}*"),
)
_FORMATS = ("html", "pdf")


def check_target(target: Path, overwrite: bool) -> None:
    """Refuse a folder that exists, unless it is earlier evidence."""
    MARK.check_target(target, overwrite)


def write(evidence: Evidence, target: Path, own_data: Path | None = None) -> None:
    """Write evidence.json, the documents and a manifest of them into the folder.

    ``own_data`` is the report of the user's own data, which is copied there. PDF needs
    the extra ``pdf``; without it the other files are written.
    """
    text, begun = evidence.to_json() + "\n", now()
    document = evidence.document()

    def fill(new: Path) -> None:
        (new / "evidence.json").write_text(text, encoding="utf-8")
        (new / "qualification").mkdir()
        pages = {f"qualification/{k}": v for k, v in documents(evidence).items()}
        for stem, page in ({"evidence": document} | pages).items():
            for name in _FORMATS:
                made = RENDERERS[name]
                if is_available(made):
                    (new / f"{stem}.{made.ending}").write_bytes(made.render(page))
        if own_data is not None:
            shutil.copytree(own_data, new / own_data.name)
        _write_manifest(evidence, new, begun)

    folder.write_aside(target, fill)


def _write_manifest(evidence: Evidence, new: Path, begun: datetime) -> None:
    """Write the manifest of all other files, as reports have it."""
    asked = {"use": evidence.use, "risk": evidence.risk}
    recorded = Recorded(data=ReportData(), asked=asked, settled=asked, steps=[])
    results = {"made_by": MARK.made_by, "provenance": provenance()}
    told = manifest(recorded, results, new, begun, {})
    text = json.dumps(told, indent=1, allow_nan=False) + "\n"
    (new / MANIFEST).write_text(text, encoding="utf-8")
