/** Returns the request of an example for other clients. */

import type { Call } from '../../src/describe/snippets/call.js';
import type { Example } from './example.js';

/**
 * URLs that every client leaves unchanged: no character that a client encodes, and no escape that a
 * client decodes.
 */
const plainUrl = /^(?:[\w.~!$&()*+,;=:@/?-]|%[0-9A-F]{2})*$/;
const decodable = /%(?:2[DE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/;

/**
 * @param printed Output of curl in the guide
 * @returns `undefined` if other clients would send something else
 */
export function callOfExample(
  example: Example,
  printed: string,
  baseUrl: string,
): Call | undefined {
  const { method, path, headers = {}, user, body, cookie, follows } = example;
  const url = baseUrl + path;
  if (!plainUrl.test(url) || decodable.test(url) || !/^[A-Z]+$/.test(method)) return undefined;
  const [, username, password] = /^([^:]*):(.*)$/s.exec(user ?? '') ?? [];
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  if (user !== undefined && (username === undefined || names.includes('authorization')))
    return undefined;
  const isRedirect = /^(?:HTTP\/\S+ )?30[12378]\b|\/redirect/m.test(`${printed}\n${path}`);
  return {
    method,
    url,
    headers: [
      ...Object.entries(headers),
      ...(cookie === undefined ? [] : [['Cookie', cookie] as const]),
    ],
    ...(username !== undefined && password !== undefined && { user: { username, password } }),
    ...(body !== undefined && { body }),
    times: 1,
    shownHeaders: /^HTTP\//.test(printed) ? 'all' : [],
    redirects: follows ? 'followed' : isRedirect ? 'shown' : undefined,
    hasResponseBody: method !== 'HEAD',
  };
}
