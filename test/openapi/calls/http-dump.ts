/** Calls of the dump. */

import type { CallTable } from '../caller.js';
import { anyVerbs } from './any-verbs.js';

export const callHttpDump: CallTable = async (caller) => {
  for (const verb of anyVerbs) {
    const hasBody = ['put', 'post', 'patch'].includes(verb);
    const body = hasBody && { type: 'text/plain', body: 'Hello' };
    await caller.call(`${verb}HttpDump`, 'The bytes', { ...body });
    await caller.call(`${verb}HttpDump`, 'Taken apart', { query: { as: 'json' }, ...body });
  }
};
