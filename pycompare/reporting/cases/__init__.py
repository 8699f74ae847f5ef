"""Cases (items of a test set) as a page tells them."""
