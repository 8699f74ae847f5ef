"""Readers and cases on a page."""
