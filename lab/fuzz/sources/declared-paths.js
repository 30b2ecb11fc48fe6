/** Every declared path literally, with any method: each is an ordinary target. */

import { callJson } from '../../harness/call.js';
import { writeRequest } from '../../harness/raw-http.js';

const methods = 'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PURGE QUERY'.split(' ');

/** Replacements of a parameter such as `{id}`: the syntaxes of routes, and names of objects. */
const spellings = ['{$1}', ':$1', '*', ':', '__proto__', 'constructor', 'toString', '%7B$1%7D'];

/** Prefixes that lead to the same path. */
const prefixes = ['', '', '', '/s/fuzz-1', '/s/:sandbox'];

/** @returns {import('../run-fuzz.js').Source} */
export function declaredPaths() {
  /** @type {string[]} */
  let paths = [];
  return {
    name: 'declared paths',
    async prepare(url) {
      const description = await callJson(url, 'GET', '/openapi.json?formats=all');
      paths = Object.keys(description.paths);
    },
    next(random) {
      const method = random.pick(methods);
      const spelling = random.pick(spellings);
      const target = random.pick(prefixes) + random.pick(paths).replaceAll(/\{(\w+)\}/g, spelling);
      return {
        kind: `${method} with ${spelling}`,
        method,
        bytes: writeRequest(method, target, [['Content-Length', '0']]),
        judge: (/** @type {import('../../harness/raw-http.js').WireResponse} */ { status }) =>
          status >= 500 ? `status ${status}` : undefined,
      };
    },
  };
}
