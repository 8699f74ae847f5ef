"""Numbers, counts and tables as text: the only place where anything is rounded."""
