"""Inference on ROC curves from labels and scores of cases."""
