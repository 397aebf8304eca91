"""The statements of the paper about each of its studies, beside what was found."""
