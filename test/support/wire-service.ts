/** A service with one handler, for tests of connections. */

import type { RequestListener, WireService } from '../../src/wire/wire-service.js';

export function wireServiceOf(handle: RequestListener): WireService {
  return {
    handle,
    reject(status, message) {
      const body = JSON.stringify({ status, message });
      return { headers: { 'content-length': String(Buffer.byteLength(body)) }, body };
    },
    enter: () => {},
    // The run fails.
    reportError: (error) => process.nextTick(() => Promise.reject(error)),
    rawTargets: /^$/,
  };
}
