"""What dist/site/ is made of, its server, and the playground as one file."""
