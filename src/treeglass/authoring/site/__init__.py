"""Sites with demos: the directive, and the files that a built site gets."""
