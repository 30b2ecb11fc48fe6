/** Values of headers that mirror members of the body (revision 2026-07-28, Value Encoding). */

const encoded = /^=\?base64\?(.*)\?=$/s;
const base64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;
const visible = /^[\x20-\x7e\t]*$/;

/** Decodes a value; returns `undefined` if it is malformed. */
export function decodeHeader(value: string): string | undefined {
  const [, text] = encoded.exec(value) ?? [];
  if (text === undefined) return visible.test(value) ? value : undefined;
  if (!base64.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  const decoded = bytes.toString('utf8');
  return Buffer.from(decoded).equals(bytes) ? decoded : undefined;
}

/** Returns whether a header value is the given member of the body. Integers compare as numbers. */
export function isMirrored(header: string, value: string | number | boolean): boolean {
  const decoded = decodeHeader(header);
  if (decoded === undefined) return false;
  if (typeof value === 'number') return decoded.trim() !== '' && Number(decoded) === value;
  return decoded === String(value);
}
