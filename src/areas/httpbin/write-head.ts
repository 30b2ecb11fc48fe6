/** Heads of responses as httpbin's server writes them, since suites of command-line clients compare what they print. */

import { type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http';
import { titleCase } from '../../base/text/title-case.js';

const irregular: Readonly<Record<string, string>> = {
  etag: 'ETag',
  'www-authenticate': 'WWW-Authenticate',
};

/** As many names as this service sends; further ones, which callers choose, are cased anew. */
const casedNames = new Map<string, string>();
const maxCasedNames = 200;

/** From now on the head of this response is written so: `Content-Type`, `404 NOT FOUND`. */
export function writeHeadAsPython(response: ServerResponse): void {
  const writeHead = response.writeHead as (status: number, reason: string) => ServerResponse;
  // A property of its own hides the method, as that of a response which is held up does.
  Object.defineProperty(response, 'writeHead', {
    configurable: true,
    value(status: number, ...rest: readonly (string | OutgoingHttpHeaders | undefined)[]) {
      const headers = rest.at(-1);
      const given = typeof headers === 'object' ? headers : {};
      for (const [name, value] of Object.entries({ ...response.getHeaders(), ...given })) {
        if (value !== undefined) response.setHeader(casedName(name), value);
      }
      return writeHead.call(response, status, STATUS_CODES[status]?.toUpperCase() ?? '');
    },
  });
}

function casedName(name: string): string {
  const known = casedNames.get(name);
  if (known !== undefined) return known;
  const cased = irregular[name.toLowerCase()] ?? titleCase(name);
  if (casedNames.size < maxCasedNames) casedNames.set(name, cased);
  return cased;
}
