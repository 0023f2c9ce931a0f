"""What two views or more share: life of a widget, page, controls, colours, words."""
