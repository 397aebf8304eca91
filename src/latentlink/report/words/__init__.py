"""What a report says in plain words: about decisions, and about the parts of a score."""
