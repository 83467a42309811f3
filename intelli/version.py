"""The version, in one place for code that must not read package metadata to start at once."""

VERSION = "0.1.0"
