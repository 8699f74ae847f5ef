"""Experiments: estimators of scikit-learn, data sets, predictions of all folds."""
