"""Readers of text formats that are neither HTML nor Markdown, each to Markdown."""
