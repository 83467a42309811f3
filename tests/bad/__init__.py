"""What goes wrong around the command: models, pages, settings, disks and terminals."""
