/** A captured request as a curl command that sends it again, byte for byte. */

import { quoteShell } from '../../src/describe/snippets/quote-shell.js';

export interface CurlRequest {
  readonly method: string;
  /** With the query, as it was sent. */
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** The body when it is plain text, `null` when there is none. */
  readonly body: string | null;
  /** Where to fetch a body that a command line cannot hold; `undefined` when `body` has it. */
  readonly bodyUrl?: string | undefined;
  /** Whether fetching it takes the key of an account, which the command leaves to a variable. */
  readonly isKeyNeeded?: boolean;
}

/** These are curl's to write: they depend on the connection and on the body it sends. */
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

/** What curl adds unless told not to. */
const defaultHeaders = ['User-Agent', 'Accept'];

/** For a POSIX shell. */
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
  // Braces and brackets are patterns to curl, and dots it would tidy away.
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
  // Not --data, which gives a leading @ a meaning.
  if (body !== null) parts.push(`--data-raw ${quoteShell(body)}`);
  return parts.join(' \\\n  ');
}

/** Longer arguments are refused by Linux; other control characters do not survive a paste. */
const maxArgumentLength = 30_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const controlCharacter = /[\x00-\x08\x0b-\x1f\x7f]/;

/** Whether a body can stand in a command line as it is. */
export function fitsCommandLine(body: string): boolean {
  return body.length <= maxArgumentLength && !controlCharacter.test(body);
}
