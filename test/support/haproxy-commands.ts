/** Where HAProxy is; Debian keeps it off the path of most users. */

import { spawnSync } from 'node:child_process';

export const haproxyCommands: readonly string[] = ['haproxy', '/usr/sbin/haproxy'];

/** In CI there must be one. */
export const isProxyMissing =
  haproxyCommands.every((command) => spawnSync(command, ['-v']).status !== 0) && !process.env.CI;
if (isProxyMissing) {
  console.log('Skipped: tests of replicas behind a proxy, because there is no haproxy here.');
}
