"""Make the picture of the README: ``python docs/readme_picture.py``."""

from pathlib import Path

import pycompare as pc
from pycompare import plotting

PICTURE = Path(__file__).with_name("typical_differences.svg")


def picture() -> str:
    """Return the typical differences of the shipped example as SVG."""
    pairs = pc.signed_rank_pairs(pc.example())
    return plotting.style.to_svg(plotting.mean_differences(pairs).figure)


if __name__ == "__main__":
    PICTURE.write_text(picture())
