/** The redirect to another port that needs the port of the service. */

import type { CallTable } from '../caller.js';
import { anyMethods } from './any-methods.js';

export const callHttpRedirects: CallTable = async (caller) => {
  for (const method of anyMethods) {
    const request = { isToOwnPort: true, isNoExample: true } as const;
    await caller.call(`${method}HttpRedirectOtherPort`, 'To TLS', request);
  }
};
