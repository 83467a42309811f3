"""What a person or a script sees: Rich on stderr, Markdown or JSON on stdout."""
