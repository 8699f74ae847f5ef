"""Peers in a Python environment of their own, from the package registry.

The environment is made on first use below ``study`` (not in the repository), because
ours must not depend on these packages. The process of ``InPython`` stays open and times
itself: its start and its imports are not counted.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .timing import InR

PINNED = {"ppi-python": "0.2.3", "evalica": "0.4.2", "arena-rank": "0.1.1"}
FOLDER = Path(__file__).parents[2] / "study" / "peers"
LOOP = """
import resource, sys, time

def spent():
    of = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(sum(resource.getrusage(who)[:2]) for who in of)

for line in sys.stdin:
    cpu, wall = spent(), time.perf_counter()
    for _ in range(int(line)):
        call()
    print(f"{spent() - cpu:.9f} {time.perf_counter() - wall:.9f}", flush=True)
"""


def interpreter() -> Path:
    """Return the interpreter of the environment, which is made if it is not there."""
    python, stamp = FOLDER / "bin" / "python", FOLDER / "installed.txt"
    wanted = "\n".join(f"{name}=={version}" for name, version in PINNED.items())
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        subprocess.run([sys.executable, "-m", "venv", "--clear", FOLDER], check=True)
        pip: list[str | Path] = [
            python,
            "-m",
            "pip",
            "install",
            "--quiet",
            *wanted.split(),
        ]
        subprocess.run(pip, check=True)
        stamp.write_text(wanted, encoding="utf-8")
    return python


@dataclass
class InPython(InR):
    """A call in one process of the peers' environment, on data of the same size.

    Attributes
    ----------
    prepare : callable
        Returns Python code that reads the data.
    expression : str
        The body of ``call``: Python code.
    """

    prepare: Callable[[], str]
    expression: str

    def _start(self) -> None:
        body = self.expression.strip().replace("\n", "\n    ")
        self.script = tempfile.NamedTemporaryFile("w", suffix=".py")
        self.script.write(f"{self.prepare()}\ndef call():\n    {body}\n{LOOP}")
        self.script.flush()
        self.process = subprocess.Popen(
            [interpreter(), self.script.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
