"""The figures of the gallery, drawn by the code on its page."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

PICTURES = Path(__file__).with_name("_pictures")
FIGURES = re.compile(
    r"(?ms)^### ([^\n]+)\n(?:(?!^#).)*?"
    r"^```\{picture\} (\w+)\n(?::[^\n]*\n)*\n(.*?)\n```"
)
"""Title of a section, name and code of its first figure."""


def drawn(name: str, code: str) -> str:
    """Draw a figure unless the same code has drawn it; return the file's name."""
    from pycompare import plotting

    digest = hashlib.sha256(code.encode()).hexdigest()[:12]
    path = PICTURES / f"{name}-{digest}.svg"
    if not path.is_file():
        names: dict[str, Any] = {}
        exec(compile(code, name, "exec"), names)
        PICTURES.mkdir(exist_ok=True)
        path.write_text(plotting.style.to_svg(names["axes"].figure))
    return path.name
