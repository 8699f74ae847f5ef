"""Renderers: a document in, bytes out. None knows what was analysed."""
