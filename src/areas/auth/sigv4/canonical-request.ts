/** The canonical form of a request in AWS Signature Version 4. All text is Latin-1: each character is one byte. */

export type Field = readonly [name: string, value: string];

export interface CanonicalParts {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** The signed headers, sorted by their names in lower case. */
  readonly headers: readonly Field[];
  readonly payloadHash: string;
}

export function canonicalRequest(parts: CanonicalParts): string {
  const { method, path, query, headers, payloadHash } = parts;
  const lines = headers.map(([name, value]) => `${name}:${value}\n`).join('');
  const names = headers.map(([name]) => name).join(';');
  return [method, path, query, lines, names, payloadHash].join('\n');
}

const hexPairs = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).toUpperCase().padStart(2, '0'),
);

/** Percent-encodes each byte except RFC 3986's unreserved characters. */
export function encode(bytes: string): string {
  return bytes.replace(/[^\w.~-]/g, (byte) => `%${hexPairs[byte.charCodeAt(0)]}`);
}

export function decode(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const encodeSegments = (path: string) => path.split('/').map(encode).join('/');

/** Encodes a path for S3, which encodes object keys once. */
export function encodedOnce(path: string): string {
  return path
    .split('/')
    .map((segment) => encode(decode(segment)))
    .join('/');
}

/** Encodes a path for all other services, which normalize it and encode it twice. */
export function encodedTwice(path: string): string {
  return encodeSegments(normalized(path));
}

/** Removes empty and dot segments. */
function normalized(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  const end = kept.length > 0 && path.endsWith('/') ? '/' : '';
  return `/${kept.join('/')}${end}`;
}

/** Returns decoded pairs in the order sent; a plus is a space. */
export function queryPairs(query: string): Field[] {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const end = pair.indexOf('=');
      const [name, value] = end < 0 ? [pair, ''] : [pair.slice(0, end), pair.slice(end + 1)];
      return [decode(name.replaceAll('+', ' ')), decode(value.replaceAll('+', ' '))];
    });
}

export function canonicalQuery(pairs: readonly Field[]): string {
  return pairs
    .map(([name, value]): Field => [encode(name), encode(value)])
    .sort((one, other) => order(one[0], other[0]) || order(one[1], other[1]))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

export function order(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** Trims each value, and replaces runs of spaces by one space. */
export function canonicalValue(values: readonly string[]): string {
  return values.map((value) => value.trim().replace(/ +/g, ' ')).join(',');
}
