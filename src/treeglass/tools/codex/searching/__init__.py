"""What `grep_files` does once it is called; a page fetches it with the first search."""
