"""Results of a within-session evaluation of two pipelines by MOABB.

``pip install moabb==1.7.2``; then ``python make_moabb.py``. MOABB (BSD-3-Clause) runs
as it is, on its own FakeDataset: signals that it draws, of three subjects in two
sessions.
"""

import shutil
import tempfile
from pathlib import Path

import mne
import numpy as np
from moabb.datasets.fake import FakeDataset
from moabb.evaluations import WithinSessionEvaluation
from moabb.paradigms import LeftRightImagery
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

HERE = Path(__file__).parent / "moabb"


def log_variance(signals):
    return np.log(np.var(signals, axis=-1))


def make() -> None:
    np.random.seed(3)
    shutil.rmtree(HERE, ignore_errors=True)
    HERE.mkdir()
    pipelines = {
        "LogVar+LDA": (log_variance, LinearDiscriminantAnalysis()),
        "LogVar+KNN": (log_variance, KNeighborsClassifier(3)),
    }
    with tempfile.TemporaryDirectory() as folder:
        mne.set_config("MNE_DATA", folder, set_env=True)
        dataset = FakeDataset(
            ["left_hand", "right_hand"], n_sessions=2, n_runs=1, n_subjects=3, seed=3
        )
        evaluation = WithinSessionEvaluation(
            paradigm=LeftRightImagery(), datasets=[dataset], overwrite=True,
            hdf5_path=folder, random_state=3,
        )  # fmt: skip
        results = evaluation.process(
            {
                name: make_pipeline(FunctionTransformer(function), model)
                for name, (function, model) in pipelines.items()
            }
        )
    results.to_csv(HERE / "results.csv", index=False)


if __name__ == "__main__":
    make()
