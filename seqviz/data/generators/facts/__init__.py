"""Paragraphs with facts, and for each word the side on which the evidence for it lies."""
