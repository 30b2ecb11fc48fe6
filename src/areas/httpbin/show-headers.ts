/** The headers of a request as httpbin shows them. */

import { titleCase } from '../../base/text/title-case.js';
import { groupHeaders } from '../../http/headers/header-values.js';

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

/** Each word of a name gets a capital, as a gateway of Python (PEP 3333) leaves no other trace of letter case. */
export function showHeaders(rawHeaders: readonly string[], showsProxies = false) {
  return groupHeaders(rawHeaders, (sentName) => {
    const name = titleCase(sentName);
    return showsProxies || !ofProxies.has(name) ? name : undefined;
  });
}
