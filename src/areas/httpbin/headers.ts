/** Headers of requests and responses in httpbin's form. */

import { titleCase } from '#base/text/title-case.js';
import type { HeadForm } from '#http/headers/head-form.js';
import { groupHeaders } from '#http/headers/header-values.js';

/** Headers that proxies add, shown only with `show_env`. */
const ofProxies = new Set([
  'Connect-Time',
  'Total-Route-Time',
  'Via',
  'X-Forwarded-For',
  'X-Forwarded-Port',
  'X-Forwarded-Proto',
  'X-Forwarded-Protocol',
  'X-Forwarded-Ssl',
  'X-Heroku-Dynos-In-Use',
  'X-Heroku-Queue-Depth',
  'X-Heroku-Queue-Wait-Time',
  'X-Real-Ip',
  'X-Request-Id',
  'X-Request-Start',
  'X-Varnish',
]);

interface Shown {
  readonly proxies?: boolean;
  /** Whether a repeated header is a list, instead of a text with commas. */
  readonly lists?: boolean;
}

/**
 * Capitalizes each word of a name, and joins the values of repeated headers: Python gateways (PEP 3333) preserve
 * neither.
 */
export function showHeaders(rawHeaders: readonly string[], { proxies, lists }: Shown = {}) {
  const headers = groupHeaders(rawHeaders, (sentName) => {
    const name = titleCase(sentName);
    return proxies || !ofProxies.has(name) ? name : undefined;
  });
  if (lists) return headers;
  for (const [name, values] of Object.entries(headers)) headers[name] = [values].flat().join();
  return headers;
}

const irregular: ReadonlyMap<string, string> = new Map([
  ['etag', 'ETag'],
  ['www-authenticate', 'WWW-Authenticate'],
]);

/**
 * The form of a head from httpbin's server, because test suites of command-line clients compare it: `404 NOT FOUND`.
 */
export const pythonHead: HeadForm = {
  nameOf: (name) => irregular.get(name) ?? titleCase(name),
  isReasonUpper: true,
};
