"""Sentences whose words come in families, so that relations can be learned from contexts alone."""
