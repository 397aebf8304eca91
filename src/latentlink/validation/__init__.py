"""Checks of arguments and settings, each written once, with a full sentence for what does not fit."""
