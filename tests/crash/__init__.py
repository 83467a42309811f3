"""Runs that are killed, and many of them at once."""
