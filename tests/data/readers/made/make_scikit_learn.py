"""cv_results_ of searches of scikit-learn (1.9.1), as CSV.

``python make_scikit_learn.py``: three candidates on two data sets, five folds, two
scorers.
"""

from pathlib import Path

import pandas as pd
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

HERE = Path(__file__).parent / "scikit-learn"


def make() -> None:
    HERE.mkdir(exist_ok=True)
    for name, load in (("iris", load_iris), ("wine", load_wine)):
        search = GridSearchCV(
            DecisionTreeClassifier(random_state=0),
            {"max_depth": [1, 2, 4]},
            scoring=["accuracy", "neg_log_loss"],
            refit="accuracy",
            return_train_score=True,
        )
        search.fit(*load(return_X_y=True))
        table = pd.DataFrame(search.cv_results_)
        table.filter(regex="^(param|split|mean_test|rank)").to_csv(HERE / f"{name}.csv")


if __name__ == "__main__":
    make()
