/** The proxy of `deploy/haproxy.cfg` before services of a test, on the loopback address. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { foreignProgram } from './foreign-program.js';
import { haproxyCommands } from './haproxy-commands.js';
import { freePort } from './redis.js';

export const haproxy = foreignProgram('HAProxy (haproxy)', haproxyCommands, ['-v']);

export interface RunningProxy {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

export interface ProxyOptions {
  /** Each request goes to another service than the one before; else to the one with least to do. */
  readonly isAlternating?: boolean;
}

/** The configuration as it is deployed, but for the addresses that it listens on and leads to. */
export function configurationFor(
  port: number,
  backends: readonly string[],
  { isAlternating = false }: ProxyOptions = {},
): string {
  const servers = backends.map((url, index) => `  server replica${index} ${new URL(url).host}`);
  const deployed = readFileSync(new URL('../../deploy/haproxy.cfg', import.meta.url), 'utf8');
  return deployed
    .replace(/^ {2}balance leastconn$/m, isAlternating ? '  balance roundrobin' : '$&')
    .replace(/^ {2}bind :8080$/m, `  bind 127.0.0.1:${port}`)
    .replace(/^ {2}server-template .*$/m, servers.join('\n'));
}

/** Starts the proxy before the services at `backends`, which are addresses such as `service.url`. */
export async function startProxy(
  backends: readonly string[],
  options?: ProxyOptions,
): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'practice-api-proxy-'));
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configurationFor(port, backends, options));
  const program = spawn(haproxy.command, ['-db', '-f', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [program.stdout, program.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const ended = once(program, 'close');
  // A test that fails before it stops the proxy leaves none behind.
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
  return { url: `http://127.0.0.1:${port}`, stop };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
