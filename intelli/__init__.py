"""Research on the web that a coding agent or a developer can trust."""
