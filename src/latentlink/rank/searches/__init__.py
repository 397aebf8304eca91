"""Which ranks a search visits: the strategies, ranks as users give them, and the ends of a search."""
