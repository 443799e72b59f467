"""`Edit` and `Write`: fetched by a page only if it offers one of them."""
