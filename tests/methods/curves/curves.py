"""Cases of two classes with scores of several classifiers."""

import numpy as np
import pandas as pd


def cases(n=90, k=3, seed=0, grid=1e9, strength=1.0):
    rng = np.random.default_rng(seed)
    label = np.where(np.arange(n) % 3 == 0, "ill", "well")
    common = rng.normal(size=(n, 1))
    score = rng.normal(size=(n, k)) + common + strength * (label == "ill")[:, None]
    names = [f"C{j + 1}" for j in range(k)]
    return label, pd.DataFrame(np.round(score * grid) / grid, columns=names)
