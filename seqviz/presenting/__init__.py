"""A lecture from a notebook: its core cells as slides, in one page that needs no network."""
