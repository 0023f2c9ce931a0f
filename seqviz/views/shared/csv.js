/**
 * Rows as a table of text. A cell that a spreadsheet would run as a formula is made text; so is
 * what it would cut at a separator of another country, and take out of quotes.
 * @param {(string | number)[][]} rows
 */
export function csv(rows) {
  const digits = value => (Math.abs(value) < 1e21 ? value.toFixed(6) : BigInt(value) + '.000000');
  const cell = value =>
    typeof value === 'number'
      ? digits(value)
      : quoted(
          value.replace(
            /^(?=[\t\r\n])|(?<=^|[;|\t\r\n])(?="*[=+\-@\uff1d\uff0b\uff0d\uff20])/g,
            "'",
          ),
        );
  const quoted = text => (/[",\n\r]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text);
  return rows.map(row => row.map(cell).join(',') + '\n').join('');
}
