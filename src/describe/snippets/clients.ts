/** Clients that examples are shown for. */

import type { Call } from './call.js';
import { writeCurl } from './write-curl.js';
import { writeFetch } from './write-fetch.js';
import { writeHttpie } from './write-httpie.js';
import { writePython } from './write-python.js';

export interface Client {
  readonly id: string;
  readonly title: string;
  readonly language: Language;
  readonly write: (call: Call) => string;
}

export type Language = 'shell' | 'javascript' | 'python';

export const clients: readonly Client[] = [
  { id: 'curl', title: 'curl', language: 'shell', write: writeCurl },
  { id: 'fetch', title: 'fetch', language: 'javascript', write: writeFetch },
  { id: 'python', title: 'Python', language: 'python', write: writePython },
  { id: 'httpie', title: 'HTTPie', language: 'shell', write: writeHttpie },
];
