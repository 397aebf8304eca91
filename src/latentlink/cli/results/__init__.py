"""What a run leaves: its folder, files, decisions, and the questions that they answer."""
