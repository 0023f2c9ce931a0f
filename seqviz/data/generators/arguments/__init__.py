"""Paragraphs that argue, in three domains that share their sentences and not their cues."""
