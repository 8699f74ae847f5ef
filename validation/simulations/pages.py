"""All pages of simulation studies, and the results each is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from . import parts
from .garcia_herrera import garcia_herrera_page
from .maloof import maloof_page
from .power import power_page
from .readers import reader_page
from .yildiz import yildiz_page

Page = Callable[..., list[str]]

PAGES: Mapping[str, tuple[Page, tuple[str, ...]]] = {
    "MALOOF": (maloof_page, ("maloof",)),
    "GARCIA_HERRERA": (garcia_herrera_page, ("garcia-herrera",)),
    "YILDIZ": (yildiz_page, ("yildiz",)),
    "MULTIREADER": (
        reader_page,
        (
            "reader-level",
            "reader-designs",
            "reader-families",
            "reader-pairs",
            "component-coverage",
            "roe-metz",
        ),
    ),
    "POWER": (power_page, ("power-formulas",)),
}


def write_pages() -> str:
    """Write the pages of stored results, with their pictures."""
    done = []
    for page, (make, names) in PAGES.items():
        if all((parts.RESULTS / f"{name}.json").exists() for name in names):
            text = "\n".join(make(*map(parts.stored, names))) + "\n"
            (parts.HERE / f"{page}.md").write_text(text, encoding="utf-8")
            done.append(f"{page}.md")
    return f"written: {', '.join(done)}"
