"""Reader of delimited text: lines of a file, layout, header, records."""
