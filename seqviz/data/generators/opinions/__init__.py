"""Diaries of travellers and reviews of films, in which words praise or blame."""
