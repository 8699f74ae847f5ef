"""Two algorithms as a page tells them."""
