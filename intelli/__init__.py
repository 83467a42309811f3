"""Research on the web that a coding agent or a developer can trust.

    search/    1  Query -> Links             backends, in a chain or all at once
    fetch/     2  Link -> Page               two readings of a page, the cleaner one kept
    extract/   3  Page -> Extract            what the focus asks for
    collate/   4  Extracts -> Report         one answer, every detail located in its source
    suggest/   5  Query -> Related           earlier sessions that may help

`pipeline.py` runs them in order; `lanes.py` has a lane for each page; `toolbox.py` wires them to
`net`, `text`, `model` and `store`; `cli` and `show` are what a user meets.
"""
