// What a message asks for: a newer one of the same wish overtakes an older one.

/**
 * Of parts each is a wish of its own.
 * @param {Object} message of a view
 * @returns {string}
 */
export const wishOf = message =>
  'want' in message ? `want ${message.want}` : Object.keys(message).find(key => key !== 'run');
