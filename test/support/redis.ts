/** A Redis or Valkey server of a test's own, with nothing in it. */

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
  /** Where it speaks TLS, if it does. */
  readonly tlsPort: number | undefined;
  readonly url: string;
  /** Ends the process as if it had crashed, or lets it save first; the port stays its own. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  start(): Promise<void>;
  /** Stops the process in its place: connections stay and nothing gets a response. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

let prefixes = 0;

/** What no other keys on a server begin with. */
export function newPrefix(): string {
  prefixes += 1;
  return `test-${process.pid}-${prefixes}:`;
}

/** The address of a server of the tests. */
export function serverAt(port: number): RedisAddress {
  const nodes = [{ host: '127.0.0.1', port }];
  return { kind: 'server', nodes, isEncrypted: false, database: 0 };
}

export interface RedisOptions {
  readonly program?: string;
  /** What was written is there again after a restart, however it stopped. */
  readonly isDurable?: boolean;
  /** A free one otherwise. */
  readonly port?: number;
  readonly tlsPort?: number;
  /** As on the server's command line. */
  readonly settings?: readonly string[];
  readonly secured?: Secured;
}

/** For a server that speaks TLS, at a second port, and wants a password everywhere. */
export interface Secured {
  /** Files of PEM, valid for localhost and 127.0.0.1. */
  readonly certificate: string;
  readonly key: string;
  readonly password: string;
}

/** What a server or a sentinel is told to speak TLS, also with each other. */
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
    // Another process may have taken the port since it was free.
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
      // One that wants a password answers as well; one that still loads does not yet.
      resolve(/^(?:\+PONG|-NOAUTH)/.test(chunk.toString()));
      socket.destroy();
    });
    socket.on('error', () => resolve(false));
    socket.on('close', () => resolve(false));
  });
}
