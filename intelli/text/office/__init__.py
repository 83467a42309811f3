"""Readers of documents that are ZIP archives of XML: Office, OpenDocument and EPUB files."""
