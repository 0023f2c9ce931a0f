"""Checks of the assignments, a file each."""
