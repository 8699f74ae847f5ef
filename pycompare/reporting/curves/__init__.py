"""ROC curves as a page tells them."""
