"""Results of two classifiers by tsml-eval: its predictions and its evaluation of these.

``pip install tsml-eval==0.6.0``; then ``python make_tsml_eval.py``. tsml-eval
(BSD-3-Clause) runs as it is, on series that are drawn here; of the statistics that it
evaluates, accuracy and log loss are kept. The folder published holds the first rows of
two files for each other corner and folder, as they are in its repository at b7166541.
"""

import shutil
import tempfile
from pathlib import Path

import numpy as np
from aeon.classification import DummyClassifier
from aeon.classification.distance_based import KNeighborsTimeSeriesClassifier
from tsml_eval.evaluation import evaluate_classifiers_by_problem
from tsml_eval.experiments import run_classification_experiment

HERE = Path(__file__).parent / "tsml-eval"
DATA = ("Waves", "Steps")
CLASSIFIERS = {
    "1NN-ED": lambda: KNeighborsTimeSeriesClassifier(distance="euclidean"),
    "Dummy": lambda: DummyClassifier(strategy="stratified", random_state=0),
}


def drawn(seed):
    rng = np.random.default_rng(seed)
    classes = np.arange(12) % 2
    series = 2.2 * rng.standard_normal((12, 1, 8))
    return series + classes[:, None, None], classes.astype(str)


def make() -> None:
    for kept in ("predictions", "evaluation"):
        shutil.rmtree(HERE / kept, ignore_errors=True)
    predictions = HERE / "predictions"
    for at, data in enumerate(DATA):
        for resample in range(2):
            train, test = drawn(at + 10 * resample), drawn(50 + at + 10 * resample)
            for name, classifier in CLASSIFIERS.items():
                run_classification_experiment(
                    *(*train, *test, classifier(), str(predictions)),
                    classifier_name=name,
                    dataset_name=data,
                    resample_id=resample,
                    benchmark_time=False,
                )
    with tempfile.TemporaryDirectory() as folder:
        evaluate_classifiers_by_problem(
            str(predictions), [*CLASSIFIERS], [*DATA], folder, resamples=2,
            eval_name="all",
        )  # fmt: skip
        for statistic in ("Accuracy", "LogLoss"):
            [found] = Path(folder).rglob(statistic)
            for path in found.rglob("*.csv"):
                kept = HERE / "evaluation" / statistic / path.relative_to(found)
                kept.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, kept)


if __name__ == "__main__":
    make()
