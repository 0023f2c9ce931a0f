"""A folder a view, called what a user types; nothing here knows a model."""
