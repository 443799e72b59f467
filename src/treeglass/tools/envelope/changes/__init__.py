"""`Write`, `Edit` and `MultiEdit`: fetched by a page only if it offers one of them."""
