"""What is compared over what: the designs of a comparison and the quantities."""
