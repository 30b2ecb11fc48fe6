/** Writes a captured request as a curl command that sends it again, byte for byte. */

import { quoteShell } from '../../../src/describe/snippets/quote-shell.js';

export interface CurlRequest {
  readonly method: string;
  /** With the query, as it was sent. */
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** The body if it is plain text; `null` if there is none. */
  readonly body: string | null;
  /** URL of a body that a command line cannot contain; `undefined` if `body` has it. */
  readonly bodyUrl?: string | undefined;
  /** Whether fetching it needs an account key, which is a variable in the command. */
  readonly isKeyNeeded?: boolean;
}

/** Headers that curl writes, because they depend on the connection and on the body. */
const ownHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
]);

/** Headers that curl adds by default. */
const defaultHeaders = ['User-Agent', 'Accept'];

/** Writes for a POSIX shell. */
export function curlCommand({
  method,
  url,
  headers,
  body,
  bodyUrl,
  isKeyNeeded,
}: CurlRequest): string {
  const hasBody = body !== null || bodyUrl !== undefined;
  const parts = ['curl'];
  if (method === 'HEAD') parts.push('--head');
  else if (method !== (hasBody ? 'POST' : 'GET')) parts.push(`-X ${quoteShell(method)}`);
  // curl treats braces and brackets as patterns, and removes dot segments.
  if (/[[\]{}]/.test(url)) parts.push('--globoff');
  if (/\/\.{1,2}(?:\/|$|\?)/.test(url)) parts.push('--path-as-is');
  parts.push(quoteShell(url));
  for (const { name, value } of headers) {
    if (ownHeaders.has(name.toLowerCase())) continue;
    parts.push(`-H ${quoteShell(value === '' ? `${name};` : `${name}: ${value}`)}`);
  }
  const sent = new Set(headers.map(({ name }) => name.toLowerCase()));
  const unwanted = hasBody ? [...defaultHeaders, 'Content-Type'] : defaultHeaders;
  for (const name of unwanted) {
    if (!sent.has(name.toLowerCase())) parts.push(`-H ${quoteShell(`${name}:`)}`);
  }
  if (bodyUrl !== undefined) {
    const key = isKeyNeeded ? ' -H "X-Service-Key: $SERVICE_KEY"' : '';
    return `curl -sS${key} ${quoteShell(bodyUrl)} |\n  ${[...parts, '--data-binary @-'].join(' \\\n  ')}`;
  }
  // --data would treat a leading @ as a file name.
  if (body !== null) parts.push(`--data-raw ${quoteShell(body)}`);
  return parts.join(' \\\n  ');
}

/** Linux rejects longer arguments, and other control characters do not survive a paste. */
const maxArgumentLength = 30_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it searches for these
const controlCharacter = /[\x00-\x08\x0b-\x1f\x7f]/;

/** Returns whether a command line can contain a body unchanged. */
export function fitsCommandLine(body: string): boolean {
  return body.length <= maxArgumentLength && !controlCharacter.test(body);
}
