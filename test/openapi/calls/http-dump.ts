/** Calls of the dump endpoint. */

import type { CallTable } from '../caller.js';
import { anyMethods } from './any-methods.js';

export const callHttpDump: CallTable = async (caller) => {
  for (const method of anyMethods) {
    const hasBody = ['put', 'post', 'patch'].includes(method);
    const body = hasBody && { type: 'text/plain', body: 'Hello' };
    await caller.call(`${method}HttpDump`, 'The bytes', { ...body });
    await caller.call(`${method}HttpDump`, 'Parsed', { query: { as: 'json' }, ...body });
  }
};
