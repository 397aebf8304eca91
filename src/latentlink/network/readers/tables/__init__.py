"""Data frames and Parquet files: lists of pairs by named columns, and matrices with labels."""
