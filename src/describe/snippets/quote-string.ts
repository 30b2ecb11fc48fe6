/**
 * Writes a string literal for JavaScript and Python, in the quotes that need the fewest escapes.
 */
export function quoteString(value: string): string {
  const escaped = JSON.stringify(value);
  const inner = escaped.slice(1, -1).replaceAll('\\"', '"');
  return value.includes('"') && !/['\\]/.test(inner) ? `'${inner}'` : escaped;
}
