"""Hashes that only who has a secret can compute, of files that name algorithms."""

from __future__ import annotations

import hmac
import secrets

_SECRET_BYTES = 32


def new_secret() -> str:
    """Return random bits of the operating system, in hexadecimal."""
    return secrets.token_hex(_SECRET_BYTES)


def keyed_hash(secret: str, sha256: str) -> str:
    """Return the HMAC-SHA256 of a SHA-256, both in hexadecimal.

    Raises
    ------
    ValueError
        If one of them is no text of hexadecimal digits.

    Examples
    --------
    >>> keyed_hash("00" * 32, "11" * 32)[:24]
    'HMAC-SHA256 fbe4b1db0b7e'
    """
    digest = hmac.digest(bytes.fromhex(secret), bytes.fromhex(sha256), "sha256")
    return f"HMAC-SHA256 {digest.hex()}"
