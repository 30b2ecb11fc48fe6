/** A shared cache as Debian ships it, in front of a service of a test, on the loopback address. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { foreignProgram } from './foreign-program.js';
import type { RunningProxy } from './proxy.js';
import { freePort } from './redis.js';

export const varnish = foreignProgram('varnish');

/** Starts it with only its port and the URL of the service configured. */
export async function startVarnish(backend: string): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'practice-api-varnish-'));
  const port = await freePort();
  const program = spawn(
    varnish.command,
    [
      ...['-F', '-n', folder, '-s', 'malloc,64m', '-j', 'none'],
      ...['-a', `127.0.0.1:${port}`, '-b', new URL(backend).host],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [program.stdout, program.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const ended = once(program, 'close');
  const killAtExit = () => program.kill();
  process.once('exit', killAtExit);
  const stop = async () => {
    program.kill();
    await ended;
    process.off('exit', killAtExit);
    rmSync(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  // It listens before its cache is ready, and resets connections until then.
  while (!(await isResponding(url))) {
    if (program.exitCode !== null) {
      await stop();
      throw new Error(`Varnish did not start: ${output}`);
    }
    await sleep(50);
  }
  return { url, stop };
}

async function isResponding(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`)).ok;
  } catch {
    return false;
  }
}
