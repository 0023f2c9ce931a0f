// What a message asks for: a newer one of the same wish overtakes an older one.

/** The wish of a view's message; of parts each is one of its own. */
export const wishOf = message =>
  'want' in message ? `want ${message.want}` : Object.keys(message).find(key => key !== 'run');
