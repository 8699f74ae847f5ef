"""Data, checked once at the door."""

from pycompare.base.metric import Metric
from pycompare.data.examples import example, example_path
from pycompare.data.files import read_scores
from pycompare.data.missing import Dropped
from pycompare.data.prediction_files import read_predictions
from pycompare.data.predictions import Predictions
from pycompare.data.scores import Scores
from pycompare.data.source import Source

__all__ = [
    "Dropped",
    "Metric",
    "Predictions",
    "Scores",
    "Source",
    "example",
    "example_path",
    "read_predictions",
    "read_scores",
]
