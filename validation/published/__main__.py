"""Write docs/published.md: ``python -m validation.published``."""

from __future__ import annotations

from pathlib import Path

from validation.published.page import page
from validation.published.rows import recomputed

PAGE = Path(__file__).parents[2] / "docs" / "published.md"

if __name__ == "__main__":
    PAGE.write_text(page(list(recomputed())), encoding="utf-8")
