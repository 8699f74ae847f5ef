"""The agreement table as a page and as JSON."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2

from pycompare.reporting import folder

from .agreement import Agreement, digits_text

MARK = ("agreement.json", "pycompare validation")


def check_target(target: Path, overwrite: bool) -> None:
    """Refuse a folder that exists, unless it is an earlier agreement table."""
    folder.check_target(target, MARK, overwrite)


def write(outcome: Agreement, target: Path) -> None:
    """Write agreement.html and agreement.json into the folder."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["digits"] = digits_text
    page = environment.get_template("agreement.html").render(outcome=outcome)

    def fill(new: Any) -> None:
        (new / "agreement.html").write_text(page, encoding="utf-8")
        (new / "agreement.json").write_text(outcome.to_json() + "\n", encoding="utf-8")

    folder.write_aside(target, fill)
