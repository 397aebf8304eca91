"""The page of the results: tables, what they say in words, and plots."""
