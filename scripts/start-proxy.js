/** Starts the proxy of `deploy/haproxy.cfg` in front of services, on the loopback address. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.js';

/** Paths of HAProxy; Debian installs it outside of the PATH of most users. */
const haproxyCommands = ['haproxy', '/usr/sbin/haproxy'];

/** Returns the first command that runs. */
export function findHaproxy() {
  return haproxyCommands.find((command) => spawnSync(command, ['-v']).status === 0);
}

/**
 * @typedef {object} RunningProxy
 * @property {string} url Where it listens, without a slash at the end
 * @property {number} [pid]
 * @property {() => Promise<void>} stop
 *
 * @typedef {object} ProxyOptions
 * @property {boolean} [isMinimal] Whether HAProxy's defaults apply instead of the deployed
 * configuration
 * @property {boolean} [isAlternating] Whether each request goes to the next service; otherwise to
 * the
 * least busy one
 */

/**
 * Returns the deployed configuration with other addresses to listen on and to forward to.
 *
 * @param {number} port
 * @param {readonly string[]} backends
 * @param {ProxyOptions} [options]
 */
export function configurationFor(port, backends, { isMinimal, isAlternating } = {}) {
  const servers = backends.map((url, index) => `  server replica${index} ${new URL(url).host}`);
  if (isMinimal) return minimalConfiguration(port, servers);
  const deployed = readFileSync(new URL('../deploy/haproxy.cfg', import.meta.url), 'utf8');
  return deployed
    .replace(/^ {2}balance leastconn$/m, isAlternating ? '  balance roundrobin' : '$&')
    .replace(/^ {2}bind :8080$/m, `  bind 127.0.0.1:${port}`)
    .replace(/^ {2}server-template .*$/m, servers.join('\n'));
}

/**
 * @param {number} port
 * @param {readonly string[]} servers
 */
const minimalConfiguration = (port, servers) => `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s

frontend public
  bind 127.0.0.1:${port}
  default_backend replicas

backend replicas
${servers.join('\n')}
`;

/**
 * Starts the proxy in front of the services at `backends`, which are URLs such as `service.url`.
 *
 * @param {string} command HAProxy's
 * @param {readonly string[]} backends
 * @param {ProxyOptions} [options]
 * @returns {Promise<RunningProxy>}
 */
export async function startProxy(command, backends, options) {
  const folder = mkdtempSync(join(tmpdir(), 'practice-api-proxy-'));
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configurationFor(port, backends, options));
  const program = spawn(command, ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [program.stdout, program.stderr]) {
    stream.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-10_000);
    });
  }
  const ended = once(program, 'close');
  // Stops the proxy if this process ends early.
  const killAtExit = () => program.kill('SIGKILL');
  process.once('exit', killAtExit);
  const stop = async () => {
    program.kill('SIGKILL');
    await ended;
    process.off('exit', killAtExit);
    rmSync(folder, { recursive: true, force: true });
  };
  while (!(await isListening(port))) {
    if (program.exitCode !== null) {
      await stop();
      throw new Error(`The proxy did not start: ${output}`);
    }
    await sleep(20);
  }
  return { url: `http://127.0.0.1:${port}`, ...(program.pid && { pid: program.pid }), stop };
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isListening(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
