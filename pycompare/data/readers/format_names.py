"""The names of all formats, for those who need no reader.

To import the readers takes longer than to read a small table. Their order is that of
``known.FORMATS``, which a test compares.
"""

FORMAT_NAMES = (
    "lm-eval",
    "every-eval-ever",
    "inspect-logs",
    "inspect",
    "helm",
    "mteb",
    "swe-bench",
    "swe-bench-experiments",
    "trec-eval",
    "nnu-net",
    "moabb",
    "amlb",
    "tabarena",
    "openml",
    "weka",
    "keel",
    "mlr3",
    "tidymodels",
    "scikit-learn",
    "aeon",
    "tsml-means",
    "tsml-predictions",
    "score-arrays",
    "mlflow",
    "wandb",
)
