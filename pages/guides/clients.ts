/** THE list of clients that a guide's requests are shown for beside curl, each where it can send exactly what curl sends. */

import type { Call } from '../../src/describe/snippets/call.js';
import { writeFetch } from '../../src/describe/snippets/write-fetch.js';
import { writeHttpie } from '../../src/describe/snippets/write-httpie.js';
import { writePowershell } from '../../src/describe/snippets/write-powershell.js';
import { writePython } from '../../src/describe/snippets/write-python.js';

interface GuideClient {
  readonly language: 'javascript' | 'powershell' | 'python' | 'shell';
  /** Whether what it sends is just what curl does, and it shows the same response. */
  readonly isExact: (call: Call) => boolean;
  readonly write: (call: Call) => string;
}

const has = ({ headers }: Call, name: string) =>
  headers.some(([each]) => each.toLowerCase() === name);

/** By what the tabs call them. */
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
    // Browsers let no script send one. With a condition, scripts ask caches for nothing stored as well (Cache-Control).
    isExact: (call) => !has(call, 'cookie'),
    write: writeFetch,
  },
  Python: { language: 'python', isExact: () => true, write: writePython },
  HTTPie: {
    language: 'shell',
    // These would be read as another kind of item, or as an escape.
    isExact: ({ headers }) => headers.every(([, value]) => !/^[@=]|\\/.test(value)),
    // With a body it would ask for JSON by itself.
    write: (call) =>
      writeHttpie(
        call.body === undefined || has(call, 'accept')
          ? call
          : { ...call, headers: [...call.headers, ['Accept', '*/*']] },
      ),
  },
};
