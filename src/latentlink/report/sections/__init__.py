"""The sections of a report, one file each: sentences and numbers out of a fitted model."""
