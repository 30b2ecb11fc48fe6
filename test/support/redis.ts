/** An empty Redis or Valkey server for a test. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectSocket, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RedisAddress } from '../../src/config/redis-address.js';
import { commandsOf } from './find-program.js';

export interface RedisServer {
  readonly port: number;
  /** The TLS port, if any. */
  readonly tlsPort: number | undefined;
  readonly url: string;
  /** Ends the process as if it had crashed, or lets it save first; the port stays reserved. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  start(): Promise<void>;
  /** Suspends the process: connections stay open and nothing gets a response. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

let prefixes = 0;

/** Returns a prefix that no other keys on a server have. */
export function newPrefix(): string {
  prefixes += 1;
  return `test-${process.pid}-${prefixes}:`;
}

/** The URL of a server of the tests. */
export function serverAt(port: number): RedisAddress {
  const nodes = [{ host: '127.0.0.1', port }];
  return { kind: 'server', nodes, isEncrypted: false, database: 0 };
}

export interface RedisOptions {
  readonly program?: string;
  /** Written data survives a restart, however the server stopped. */
  readonly isDurable?: boolean;
  /** By default a free one. */
  readonly port?: number;
  readonly tlsPort?: number;
  /** Options as on the server's command line. */
  readonly settings?: readonly string[];
  readonly secured?: Secured;
}

/** For a server that supports TLS, at a second port, and requires a password everywhere. */
export interface Secured {
  /** PEM files, valid for localhost and 127.0.0.1. */
  readonly certificate: string;
  readonly key: string;
  readonly password: string;
}

/** The options of a server or a sentinel for TLS, also with each other. */
export const encryptedBy = (
  { certificate, key }: Pick<Secured, 'certificate' | 'key'>,
  tlsPort: number,
): readonly string[] => [
  ...['--tls-port', String(tlsPort), '--tls-replication', 'yes', '--tls-auth-clients', 'no'],
  ...['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate],
];

export async function startRedis({
  program = commandsOf('redis')[0] ?? 'redis-server',
  port: wantedPort,
  tlsPort: wantedTlsPort,
  isDurable = false,
  settings = [],
  secured,
}: RedisOptions = {}): Promise<RedisServer> {
  const directory = mkdtempSync(join(tmpdir(), 'practice-api-redis-'));
  let port = wantedPort ?? (await freePort());
  const tlsPort = secured && (wantedTlsPort ?? (await freePort()));
  const security =
    secured === undefined || tlsPort === undefined
      ? []
      : [
          ...encryptedBy(secured, tlsPort),
          ...['--requirepass', secured.password, '--masterauth', secured.password],
        ];
  let running: ChildProcess | undefined;

  async function start(): Promise<void> {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory];
    const saving = ['--save', '', '--appendonly', isDurable ? 'yes' : 'no'];
    if (isDurable) saving.push('--appendfsync', 'always');
    const child = spawn(program, [...args, ...saving, ...security, ...settings], {
      stdio: 'ignore',
    });
    running = child;
    await Promise.race([
      responses(port),
      new Promise((_resolve, reject) => {
        child.on('error', reject);
        child.on('exit', (code) => reject(new Error(`${program} ended with ${code}.`)));
      }),
    ]);
  }

  async function stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGKILL'): Promise<void> {
    const child = running;
    running = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  await start().catch(async (error) => {
    // Another process may have bound the port since it was free.
    if (wantedPort !== undefined) throw error;
    port = await freePort();
    await start();
  });
  return {
    port,
    tlsPort,
    url: `redis://${secured ? `:${secured.password}@` : ''}127.0.0.1:${port}`,
    start,
    stop,
    freeze: () => running?.kill('SIGSTOP'),
    thaw: () => running?.kill('SIGCONT'),
    async close() {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return address.port;
}

/** Resolves when the server accepts commands. */
async function responses(port: number): Promise<void> {
  while (!(await isResponding(port))) await delay(10);
}

function isResponding(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectSocket(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.on('data', (chunk) => {
      // A server that requires a password responds as well, but not while it still loads.
      resolve(/^(?:\+PONG|-NOAUTH)/.test(chunk.toString()));
      socket.destroy();
    });
    socket.on('error', () => resolve(false));
    socket.on('close', () => resolve(false));
  });
}
