/** The proxy of `deploy/haproxy.cfg` in front of services of a test. */

import {
  type ProxyOptions,
  type RunningProxy,
  startProxy as startProxyOf,
} from '../../scripts/start-proxy.js';
import { commandsOf } from './find-program.js';

export type { RunningProxy };

export function startProxy(
  backends: readonly string[],
  options?: ProxyOptions,
): Promise<RunningProxy> {
  const [command = 'haproxy'] = commandsOf('haproxy');
  return startProxyOf(command, backends, options);
}
