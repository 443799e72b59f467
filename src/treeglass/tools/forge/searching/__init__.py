"""What Forge's `Read`, `Glob` and `Search` do once they are called; a page fetches it then."""
