"""Ranks over blocks as a page tells them."""
