/** haproxy as a proxy of HTTP/1.1, and of HTTP/2 by prior knowledge, which gRPC needs. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandsOf } from './find-program.js';

export interface GrpcProxy {
  readonly target: string;
  readonly stop: () => Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

export async function startHaproxy(backends: readonly string[]): Promise<GrpcProxy> {
  const [command = 'haproxy'] = commandsOf('haproxy');
  const folder = mkdtempSync(join(tmpdir(), 'practice-api-haproxy-'));
  const port = await freePort();
  const target = `127.0.0.1:${port}`;
  const servers = backends.map((each, index) => `  server s${index} ${each} proto h2`);
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(
    file,
    [
      'defaults',
      '  mode http',
      '  balance roundrobin',
      '  timeout connect 5s',
      '  timeout client 60s',
      '  timeout server 60s',
      'frontend front',
      `  bind ${target}`,
      '  default_backend back',
      'backend back',
      ...servers,
      '',
    ].join('\n'),
  );
  const program = spawn(command, ['-f', file, '-db'], { stdio: 'ignore' });
  const ended = once(program, 'exit');
  const isOpen = () =>
    fetch(`http://${target}/health`).then(
      () => true,
      () => false,
    );
  while (!(await isOpen())) await sleep(20);
  return {
    target,
    async stop() {
      program.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
