"""Folds of several data sets as a page tells them."""
