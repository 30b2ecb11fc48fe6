/** The headers of a request as httpbin shows them. */

import { titleCase } from '../../base/text/title-case.js';

/** What proxies add: shown only to those who ask for it with `show_env`. */
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

/**
 * By name, each word of which begins with a capital, as a gateway of Python (PEP 3333) leaves no other trace of
 * letter case. A header that came once is a text, and one that came again a list in order.
 */
export function showHeaders(
  rawHeaders: readonly string[],
  showsProxies = false,
): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = Object.create(null);
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = titleCase(rawHeaders[index] ?? '');
    if (!showsProxies && ofProxies.has(name)) continue;
    const value = rawHeaders[index + 1] ?? '';
    const earlier = headers[name];
    headers[name] = earlier === undefined ? value : [earlier, value].flat();
  }
  return headers;
}
