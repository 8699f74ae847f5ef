"""Make the picture of the README: ``python docs/readme_picture.py``."""

from pathlib import Path

import pycompare as pc
from pycompare import plotting

PICTURE = Path(__file__).with_name("critical_difference.svg")


def picture() -> str:
    """Return the critical difference diagram of the shipped example as SVG."""
    pairs = pc.rank_pairs(pc.example(), p_value="sign-flips", adjust="bergmann-hommel")
    return plotting.style.to_svg(plotting.critical_difference(pairs).figure)


if __name__ == "__main__":
    PICTURE.write_text(picture())
