"""How a table is read: answers of its owner, and doubts about its contents."""
