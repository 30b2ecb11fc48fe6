/**
 * The bytes of a request, each a character of the string.
 *
 * @param {string} method
 * @param {string} target
 * @param {readonly (readonly [string, string])[]} headers As they are written, `Host` aside
 * @param {string} [body] Each byte a character
 */
export function writeRequest(method, target, headers, body) {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost'];
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push(`Content-Length: ${body.length}`);
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
}
