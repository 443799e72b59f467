"""Sites with demos: what the directive says, and the files that a built site gets."""
