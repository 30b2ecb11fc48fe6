/**
 * Parses a curl command line for the console. Ignores files, forms, and options for things that
 * browsers do anyway.
 */

import { encodeBasic } from '../../src/describe/snippets/encode-basic.js';
import { readCurl } from '../shared/read-curl.js';
import { splitWords } from '../shared/split-shell.js';

export interface PastedRequest {
  readonly method: string;
  readonly address: string;
  /** One per line, such as `Accept: text/csv`. */
  readonly headers: readonly string[];
  readonly body: string;
}

/** Returns `undefined` for a command without a URL. */
export function parseCurl(command: string): PastedRequest | undefined {
  const {
    method,
    urls,
    headers,
    body = '',
    user,
    cookies,
  } = readCurl(splitWords(command).slice(1));
  const [address] = urls;
  if (address === undefined) return undefined;
  return {
    method,
    address,
    headers: [
      ...headers,
      ...(user === undefined ? [] : [basicHeader(user)]),
      ...cookies.map((pairs) => `Cookie: ${pairs}`),
    ],
    body,
  };
}

function basicHeader(user: string): string {
  const [, username = '', password = ''] = /^([^:]*):?(.*)$/s.exec(user) ?? [];
  return `Authorization: ${encodeBasic({ username, password })}`;
}
