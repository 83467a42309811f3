"""`python -m intelli` is the `intelli` command."""

from intelli.cli import main

if __name__ == "__main__":
    main()
