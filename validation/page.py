"""The evidence file as documents and as JSON."""

from __future__ import annotations

import shutil
from pathlib import Path

from pycompare.reporting import folder
from pycompare.reporting.render import FORMATS, is_available

from .evidence import Evidence

MARK = folder.FolderMark(
    "pycompare validation", "evidence.json", ("evidence.*", "own_data/*")
)
_FORMATS = ("html", "pdf")


def check_target(target: Path, overwrite: bool) -> None:
    """Refuse a folder that exists, unless it is earlier evidence."""
    MARK.check_target(target, overwrite)


def write(evidence: Evidence, target: Path, own_data: Path | None = None) -> None:
    """Write evidence.json and the documents into the folder.

    ``own_data`` is the report of the user's own data, which is copied there. PDF needs
    the extra ``pdf``; without it the other files are written.
    """
    text = evidence.to_json() + "\n"
    document = evidence.document()

    def fill(new: Path) -> None:
        (new / "evidence.json").write_text(text, encoding="utf-8")
        for name in _FORMATS:
            made = FORMATS[name]
            if is_available(made):
                path = new / f"evidence.{made.ending}"
                path.write_bytes(made.render(document))
        if own_data is not None:
            shutil.copytree(own_data, new / own_data.name)

    folder.write_aside(target, fill)
