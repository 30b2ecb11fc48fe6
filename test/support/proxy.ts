/** The proxy of `deploy/haproxy.cfg` before services of a test. */

import {
  haproxyCommands,
  type ProxyOptions,
  type RunningProxy,
  startProxy as startProxyOf,
} from '../../lab/start-proxy.js';
import { foreignProgram } from './foreign-program.js';

export type { RunningProxy };

export const haproxy = foreignProgram('HAProxy (haproxy)', haproxyCommands, ['-v']);

export function startProxy(
  backends: readonly string[],
  options?: ProxyOptions,
): Promise<RunningProxy> {
  return startProxyOf(haproxy.command, backends, options);
}
