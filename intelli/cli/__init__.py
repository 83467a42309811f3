"""Command line: arguments to Settings, a renderer, an exit code."""
