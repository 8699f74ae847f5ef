"""The README and the pages of the site, as tests read them."""

from __future__ import annotations

import doctest
import re
import shutil
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import pycompare as pc

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
FENCE = re.compile(r"(?ms)^(`{3,})(\S*) ?([^\n]*)\n(.*?)^\1$")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language or directive, its argument, its lines."""

    kind: str
    argument: str
    text: str
    line: int


@dataclass(frozen=True)
class Page:
    """A Markdown file."""

    path: Path

    def __str__(self) -> str:
        return str(self.path.relative_to(ROOT))

    @property
    def text(self) -> str:
        return self.path.read_text()

    def blocks(self) -> list[Block]:
        """All fenced blocks, in order."""
        text = self.text
        return [
            Block(kind, argument, body, text[: at.start()].count("\n") + 1)
            for at in FENCE.finditer(text)
            for _, kind, argument, body in [at.groups()]
        ]

    def code(self) -> list[Block]:
        """The blocks that are Python, those that draw a picture included."""
        return [b for b in self.blocks() if b.kind in {"python", "{picture}"}]

    def commands(self) -> list[str]:
        """The command lines of pycompare, continued lines joined."""
        return [
            line.split("  #")[0]
            for block in self.blocks()
            if block.kind == ""
            for line in block.text.replace("\\\n", " ").splitlines()
            if line.startswith("pycompare ")
        ]

    def links(self) -> list[str]:
        """Targets of links and pictures outside of fenced blocks."""
        return re.findall(r"\]\(([^)]*)\)", FENCE.sub("", self.text))


def pages() -> list[Page]:
    """The README and all pages of the site."""
    return [Page(ROOT / "README.md"), *map(Page, sorted(DOCS.rglob("*.md")))]


def run(page: Page, names: dict[str, Any]) -> None:
    """Run a page from top to bottom; what follows a prompt must print what it shows."""
    for block in page.code():
        where = f"{page}, line {block.line}"
        if block.kind == "{picture}":
            drawn(block, where)
        elif ">>>" in block.text:
            checked(block.text, names, where)
        else:
            exec(compile(block.text, where, "exec"), names)


def drawn(block: Block, where: str) -> None:
    """Run the code of a picture by itself; it leaves axes with something in them."""
    names: dict[str, Any] = {}
    options, code = block.text.split("\n\n", 1)
    assert options.startswith(":"), where
    exec(compile(code, where, "exec"), names)
    assert names["axes"].figure.get_axes()


def checked(text: str, names: dict[str, Any], where: str) -> None:
    """Run text with prompts as a doctest."""
    case = doctest.DocTestParser().get_doctest(text, names, where, where, 0)
    said: list[str] = []
    doctest.DocTestRunner().run(case, out=said.append, clear_globs=False)
    assert not said, "".join(said)
    names.update(case.globs)


def sample_files(folder: Path) -> None:
    """Write the tables that the pages read."""
    shutil.copy(pc.example_path(), folder / "scores.csv")
    shutil.copy(pc.example_path("folds"), folder / "folds.csv")
    folds = ["1", "2", "3", "4", "5"]
    cv = {"model": ["a", "b", "c"], "dataset": list("stuvwx"), "fold": folds}
    random_table(folder / "cv.csv", cv, "error", "auc")
    cases = {"model": ["a", "b"], "fold": folds, "label": ["yes", "no"], "n": folds}
    random_table(folder / "predictions.csv", cases, "score")
    levels = {"data": list("stu"), "algorithm": ["a", "b"], "fold": folds}
    random_table(
        folder / "counts.csv", levels | {"theta": [0.3, 0.6]}, "tp", "fp", "fn"
    )

    sample_votes(folder / "votes.csv")


def sample_votes(path: Path) -> None:
    """Write battles of four models by twenty voters."""
    rng = np.random.default_rng(7)
    ends = np.array([rng.permutation(4)[:2] for _ in range(200)])
    names = np.array(list("ABCD"))
    frame = {
        "model_a": names[ends[:, 0]],
        "model_b": names[ends[:, 1]],
        "winner": rng.choice(["model_a", "tie", "model_b"], 200),
        "judge": rng.integers(0, 20, 200),
    }
    pd.DataFrame(frame).to_csv(path, index=False)


def random_table(path: Path, columns: dict[str, list[Any]], *scores: str) -> None:
    """Write random scores for all combinations of some labels."""
    rng = np.random.default_rng(7)
    frame = pd.DataFrame(list(product(*columns.values())), columns=list(columns))
    for name in scores:
        frame[name] = rng.random(len(frame))
    frame.to_csv(path, index=False)
