"""Several metrics at once as a page tells them."""
