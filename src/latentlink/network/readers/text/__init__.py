"""Delimited text: source of lines, layout, header, records."""
