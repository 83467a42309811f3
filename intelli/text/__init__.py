"""What bytes and text are: readers to Markdown, passages, ranking, folding."""
