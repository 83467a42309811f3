"""What tests read, and the programs that write it."""
