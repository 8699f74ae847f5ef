"""A small study for tests of the engine."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pycompare.sizes.simulation.study import Study


@dataclass(frozen=True)
class Toy(Study):
    """Two coins; with ``memory`` the process of chunk "heads" is killed once."""

    share: float = 0.3
    memory: str = ""

    name = "toy"
    title = "Two coins"
    reference = "nobody"
    default_trials = 40
    chunk = 4

    @property
    def conditions(self):
        return {"heads": {"p": self.share}, "tails": {"p": 1 - self.share}}

    def run(self, condition, rng, trials):
        if self.memory and condition == "heads":
            self.die_once()
        x = rng.random(trials)
        p = self.conditions[condition]["p"]
        return {"won": x < p, "size": np.where(x < 0.05, np.nan, x)}

    def die_once(self):
        try:
            Path(self.memory).touch(exist_ok=False)
        except FileExistsError:
            return
        os.kill(os.getpid(), signal.SIGKILL)

    @property
    def published(self):
        return {("heads", "won"): 0.25}

    @property
    def settings(self):
        return {"share": self.share}
