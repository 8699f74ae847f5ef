"""A command loads Matplotlib without its help, the library as it is."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
from pycompare.plotting import loading
if {is_ours}:
    loading.leave_out_help()
loading.load()
from matplotlib import artist, axes, lines
texts = axes.Axes.plot.__doc__, artist.kwdoc(lines.Line2D)
print(*("solid_capstyle" in text for text in texts))
"""


@pytest.mark.parametrize("is_ours", [True, False])
def test_properties_are_in_the_help_unless_the_process_is_ours(is_ours: bool) -> None:
    program = PROGRAM.format(is_ours=is_ours)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [str(not is_ours), "True"]
