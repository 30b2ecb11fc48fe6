/** Whether there is a proxy for tests of replicas. */

import { findHaproxy } from '../../lab/start-proxy.js';

/** In CI there must be one. */
export const isProxyMissing = findHaproxy() === undefined && !process.env.CI;
if (isProxyMissing) {
  console.log('Skipped: tests of replicas behind a proxy, because there is no haproxy here.');
}
