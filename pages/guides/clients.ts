/**
 * Clients other than curl for requests in guides, each for requests that it can send exactly like
 * curl.
 */

import type { Call } from '../../src/describe/snippets/call.js';
import { writeFetch } from '../../src/describe/snippets/write-fetch.js';
import { writeHttpie } from '../../src/describe/snippets/write-httpie.js';
import { writePowershell } from '../../src/describe/snippets/write-powershell.js';
import { writePython } from '../../src/describe/snippets/write-python.js';

interface GuideClient {
  readonly language: 'javascript' | 'powershell' | 'python' | 'shell';
  /** Whether it sends exactly the same as curl, and shows the same response. */
  readonly isExact: (call: Call) => boolean;
  readonly write: (call: Call) => string;
}

const has = ({ headers }: Call, name: string) =>
  headers.some(([each]) => each.toLowerCase() === name);

/** By the labels of the tabs. */
export const clients: Readonly<Record<string, GuideClient>> = {
  PowerShell: {
    language: 'powershell',
    // Whether it shows a redirect, or sends a cookie by itself, depends on its version.
    isExact: (call) =>
      call.redirects === undefined &&
      !has(call, 'cookie') &&
      call.body !== '' &&
      has(call, 'content-type') === (call.body !== undefined),
    write: writePowershell,
  },
  fetch: {
    language: 'javascript',
    // Browsers forbid scripts to send cookies. With a condition, fetch also adds Cache-Control.
    isExact: (call) => !has(call, 'cookie'),
    write: writeFetch,
  },
  Python: { language: 'python', isExact: () => true, write: writePython },
  HTTPie: {
    language: 'shell',
    // These would be parsed as another kind of item, or as an escape.
    isExact: ({ headers }) => headers.every(([, value]) => !/^[@=]|\\/.test(value)),
    // With a body, it would add Accept for JSON by itself.
    write: (call) =>
      writeHttpie(
        call.body === undefined || has(call, 'accept')
          ? call
          : { ...call, headers: [...call.headers, ['Accept', '*/*']] },
      ),
  },
};
