"""Commands that are killed, that find the disk full, or that lose what they need.

Each of ``commands`` is run once undisturbed. Then one fault after the other is caused:
while it writes (``writing``, ``full_disk``), while it reads (``reading``), among its
workers (``lost``). Its output must be absent, the previous one, or that of the
undisturbed run to the last byte. ``threads`` lists computations that eight threads do
at once. ``trials`` lists all faults and causes them; ``page`` is the text of
``FAULTS.md``.
"""
