"""The commands as tools of the Model Context Protocol, over standard input and output.

guard.py    keeps the wire clean: whatever else writes to standard output goes to standard error
tools.py    the table of tools: what each takes, and the command line that it stands for
runs.py     the commands as child processes: one at work, eight waiting, progress, cancelling
server.py   all of it behind the official SDK
"""
