"""Texts and tasks that are drawn from a seed: each file of `datasets/` that we wrote, and more."""
