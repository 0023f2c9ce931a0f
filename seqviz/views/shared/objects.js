// Objects as tables by name.

/** An object with each value changed. */
export const withValues = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
