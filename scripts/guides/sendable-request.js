/** Finds curl requests that a browser can send from a page of the service. */

import { forbiddenHeaders, forbiddenMethods } from '../../pages/shared/curl/browser-limits.js';
import { readCurl } from '../../pages/shared/curl/read-curl.js';

/**
 * @typedef {object} SendableRequest
 * @property {string} method
 * @property {string} path From the root of the service, beginning with a slash
 * @property {Record<string, string>} [headers]
 * @property {string} [body]
 * @property {string} [user] Name and password, separated by a colon, for Basic
 * @property {string} [cookie] Cookie that the browser must store for the URL
 * @property {true} [follows] Whether redirects are followed
 */

/** The documentation's URL of the reader's own service. */
const service = /^(?:http:\/\/)?localhost:3000(?=[/?]|$)/;

/** Patterns of curl, and characters that a browser would change. */
const patterns = /[{}[\]#\\\s]|\/\.{1,2}(?:\/|$)|[^\x21-\x7e]/;

/**
 * @param {readonly string[]} args Words after curl
 * @returns {SendableRequest | undefined}
 */
export function sendableRequest(args) {
  const { method, urls, body, user, cookies, follows, isUnderstood, ...read } = readCurl(args);
  const [url = ''] = urls;
  const [cookie] = cookies;
  const headers = recordOf(read.headers);
  if (!isUnderstood || headers === undefined || forbiddenMethods.test(method)) return undefined;
  if (urls.length !== 1 || !service.test(url) || patterns.test(url)) return undefined;
  if (cookies.length > 1 || cookie?.includes('=') === false) return undefined;
  if (/^(?:GET|HEAD)$/i.test(method) && body !== undefined) return undefined;
  const path = url.replace(service, '');
  return {
    method,
    path: path.startsWith('/') ? path : `/${path}`,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body !== undefined && { body }),
    ...(user !== undefined && { user }),
    ...(cookie !== undefined && { cookie }),
    ...(follows && { follows }),
  };
}

/**
 * Parses headers; returns `undefined` if one is removed or repeated, which only curl can do.
 *
 * @param {readonly string[]} lines
 * @returns {Record<string, string> | undefined}
 */
function recordOf(lines) {
  const headers = lines.map((line) => /^([\w-]+): *([\t\x20-\x7e]+)$/.exec(line) ?? []);
  const names = new Set(headers.map(([, name = '']) => name.toLowerCase()));
  const isFine = headers.every(([, name]) => name !== undefined && !forbiddenHeaders.test(name));
  if (!isFine || names.size < headers.length) return undefined;
  return Object.fromEntries(headers.map(([, name = '', value = '']) => [name, value]));
}
