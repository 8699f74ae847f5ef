"""Means over folds of one data set as a page tells them."""
