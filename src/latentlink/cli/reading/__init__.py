"""Reading of the user's files: what they hold, and what was assumed about them."""
