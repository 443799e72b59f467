"""What `Glob` and `Grep` do once they are called; a page fetches it with the first search."""
