/** Tests a state whose server is unavailable, rejects commands, or loses a response on the way. */

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { createClient } from '@redis/client';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { testsWith } from '../../../test/support/foreign-program.js';
import {
  freePort,
  newPrefix,
  type RedisServer,
  serverAt,
  startRedis,
} from '../../../test/support/redis.js';
import {
  type LogSpace,
  type Sandbox,
  type Space,
  type State,
  StateUnavailableError,
} from '../state.js';
import { openRedisState, type RedisStateOptions } from './redis-state.js';

const counters: Space<number> = { name: 'counters', maxKeys: 100 };
const notes: LogSpace<string, null> = { name: 'notes', maxKeys: 3, maxEntries: 5 };

const count = (sandbox: Sandbox) =>
  sandbox.update(counters, 'a', (current = 0) => ({ value: current + 1, result: current + 1 }));

const closes: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0).reverse()) await close();
});

async function startServer(settings: readonly string[] = []): Promise<RedisServer> {
  const server = await startRedis({ isDurable: true, settings });
  closes.push(() => server.close());
  return server;
}

interface Opened {
  readonly state: State;
  readonly lines: { readonly msg: string; readonly reason?: string; readonly seconds?: number }[];
}

async function open(
  port: number,
  options: Partial<RedisStateOptions> = {},
  signal = new AbortController().signal,
  lines: Opened['lines'] = [],
): Promise<Opened> {
  const address = serverAt(port);
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const state = await openRedisState(
    { address, prefix: newPrefix(), clock: Date.now, log, ...options },
    signal,
  );
  closes.push(async () => state.close());
  return { state, lines };
}

/** Responds to each command as Redis does while it loads its data. */
function respondLoading(socket: Socket): void {
  socket.on('data', (bytes) => {
    const commands = String(bytes).match(/^\*\d/gm) ?? [];
    socket.write('-LOADING Redis is loading the dataset in memory\r\n'.repeat(commands.length));
  });
}

const isReady = (state: State) => expect.poll(() => state.isReady(), { timeout: 10_000 });

const withRedis = testsWith('redis');

withRedis.describe('a state whose server', () => {
  test('dies is unavailable at once, and continues by itself with its data', async () => {
    const server = await startServer();
    const { state, lines } = await open(server.port);
    const sandbox = state.sandbox('s');
    expect(await count(sandbox)).toBe(1);
    await server.stop('SIGKILL');
    await isReady(state).toBe(false);
    for (let round = 0; round < 20; round++) {
      await expect(count(sandbox)).rejects.toThrow(StateUnavailableError);
      await expect(sandbox.read(counters, 'a')).rejects.toThrow(StateUnavailableError);
    }
    await server.start();
    await isReady(state).toBe(true);
    expect(await count(sandbox)).toBe(2);
    await expect
      .poll(() => lines.map(({ msg }) => msg))
      .toEqual([
        `lost the state at 127.0.0.1:${server.port}; trying again`,
        `connected to the state at 127.0.0.1:${server.port}`,
      ]);
  });

  test('is not available yet is waited for, with a log line', async () => {
    const port = await freePort();
    const lines: Opened['lines'] = [];
    const opening = open(port, {}, undefined, lines);
    await expect.poll(() => lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      msg: `cannot reach the state at 127.0.0.1:${port}; trying again`,
      reason: expect.stringContaining('ECONNREFUSED'),
    });
    const server = await startRedis({ port });
    closes.push(() => server.close());
    const { state } = await opening;
    expect(await state.isReady()).toBe(true);
    expect(lines.at(-1)?.msg).toBe(`connected to the state at 127.0.0.1:${port}`);
  });

  test.each([
    ['refuses connections', undefined, 'ECONNREFUSED'],
    [
      'accepts connections, but never responds',
      (socket: Socket) => void socket.resume(),
      'no response',
    ],
    ['still loads its data', respondLoading, 'LOADING'],
  ])('%s at the start is named every few seconds, with the time', async (_case, serve, reason) => {
    const port = await freePort();
    if (serve !== undefined) {
      const server = createServer((socket) => serve(socket.on('error', () => {}))).listen(port);
      await once(server, 'listening');
      closes.push(async () => void server.close());
    }
    const lines: Opened['lines'] = [];
    const controller = new AbortController();
    const opening = open(port, {}, controller.signal, lines);
    const waits = () => lines.filter(({ msg }) => msg.startsWith('waiting for'));
    await expect.poll(() => waits().length, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
    controller.abort(new Error('enough'));
    await expect(opening).rejects.toThrow('enough');
    const [first, second] = waits();
    expect(first?.msg).toBe(`waiting for the state at 127.0.0.1:${port} for ${first?.seconds} s`);
    expect(second?.reason).toContain(reason);
    expect(second?.seconds).toBeGreaterThan(first?.seconds ?? 0);
  });

  test('never comes is waited for until the signal', async () => {
    const controller = new AbortController();
    const opening = open(await freePort(), {}, controller.signal);
    controller.abort(new Error('enough'));
    await expect(opening).rejects.toThrow('enough');
  });

  test('hangs is given up within seconds, and used again when it responds', async () => {
    const server = await startServer();
    const { state } = await open(server.port);
    const sandbox = state.sandbox('s');
    await count(sandbox);
    server.freeze();
    await expect(count(sandbox)).rejects.toThrow(StateUnavailableError);
    expect(await state.isReady()).toBe(false);
    await expect(sandbox.read(counters, 'a')).rejects.toThrow(StateUnavailableError);
    server.thaw();
    await isReady(state).toBe(true);
    // Commands sent before may have run, but at most once.
    expect([2, 3]).toContain(await count(sandbox));
  });

  test('loses its scripts gets them again', async () => {
    const server = await startServer();
    const { state } = await open(server.port);
    await count(state.sandbox('s'));
    const client = await createClient({ url: server.url }).connect();
    await client.scriptFlush();
    client.destroy();
    expect(await count(state.sandbox('s'))).toBe(2);
  });

  test('loses everything starts again, and cached values are not used', async () => {
    const server = await startServer();
    const prefix = newPrefix();
    const [{ state: one }, { state: other }] = [
      await open(server.port, { prefix }),
      await open(server.port, { prefix }),
    ];
    for (const expected of [1, 2, 3]) expect(await count(one.sandbox('s'))).toBe(expected);
    const client = await createClient({ url: server.url }).connect();
    await client.flushAll();
    client.destroy();
    expect(await one.sandbox('s').read(counters, 'a')).toBeUndefined();
    for (const expected of [1, 2, 3]) expect(await count(other.sandbox('s'))).toBe(expected);
    expect(await one.sandbox('s').read(counters, 'a')).toBe(3);
  });

  test.each([
    ['is full', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
    ['takes no writes', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
  ])('%s is unavailable until it recovers, with all or nothing done', async (_what, begin, end) => {
    const server = await startServer();
    const { state, lines } = await open(server.port);
    const sandbox = state.sandbox('s');
    await count(sandbox);
    const sizes = await state.sizes();
    const client = await createClient({ url: server.url }).connect();
    await client.sendCommand(begin);
    await expect(count(sandbox)).rejects.toThrow(StateUnavailableError);
    await expect(count(state.sandbox('new'))).rejects.toThrow(StateUnavailableError);
    expect(await state.isReady()).toBe(false);
    await client.sendCommand(end);
    client.destroy();
    await isReady(state).toBe(true);
    expect(await state.sizes()).toEqual(sizes);
    expect(await count(sandbox)).toBe(2);
    expect(lines.some(({ msg }) => msg.includes('rejects'))).toBe(true);
  });

  test('requires a password gets it, and the log never contains it', async () => {
    const server = await startServer(['--requirepass', 'hush hush']);
    const lines: Opened['lines'] = [];
    const controller = new AbortController();
    const address = { ...serverAt(server.port), database: 3 };
    const wrong = open(
      server.port,
      { address: { ...address, password: 'not that' } },
      controller.signal,
      lines,
    );
    await expect.poll(() => lines).toHaveLength(1);
    controller.abort();
    await expect(wrong).rejects.toThrow();
    expect(lines[0]?.reason).toContain('WRONGPASS');
    expect(JSON.stringify(lines)).not.toMatch(/hush|not that/);
    const { state } = await open(server.port, { address: { ...address, password: 'hush hush' } });
    expect(await count(state.sandbox('s'))).toBe(1);
  });

  test('restricts a user to keys and channels of the prefix is sufficient', async () => {
    const server = await startServer();
    const client = await createClient({ url: server.url }).connect();
    const prefix = newPrefix();
    const rules = [`~${prefix}*`, `&${prefix}*`, '+@all', '-@admin', '-@dangerous'];
    await client.sendCommand(['ACL', 'SETUSER', 'one', 'on', '>hush', 'resetchannels', ...rules]);
    client.destroy();
    const address = { ...serverAt(server.port), username: 'one', password: 'hush' };
    const { state } = await open(server.port, { prefix, address });
    const sandbox = state.sandbox('s');
    await sandbox.update(notes, 'a', () => ({ value: '', result: undefined }));
    const waiting = sandbox.log(notes, 'a').waitPast(0, new AbortController().signal);
    await sandbox.log(notes, 'a').append(null, Buffer.alloc(0));
    await waiting;
    await sandbox.reset();
    expect(await state.sizes()).toMatchObject({ sandboxes: 0, logEntries: 0 });
  });

  test('disconnects and reconnects does not end the wait for a log', async () => {
    const server = await startServer();
    const prefix = newPrefix();
    const { state } = await open(server.port, { prefix });
    const { state: other } = await open(server.port, { prefix });
    const put = { value: '', result: undefined };
    await state.sandbox('s').update(notes, 'a', () => put);
    let hasEnded = false;
    const waiting = state.sandbox('s').log(notes, 'a').waitPast(0, new AbortController().signal);
    waiting.then(() => {
      hasEnded = true;
    });
    await server.stop();
    await isReady(state).toBe(false);
    await server.start();
    await isReady(other).toBe(true);
    expect(hasEnded).toBe(false);
    // Before it subscribes again, which must not matter.
    await other.sandbox('s').log(notes, 'a').append(null, Buffer.alloc(0));
    await waiting;
  });
});

/** A proxy between a state and its server, which can cut the connection instead of a response. */
async function startGate(port: number) {
  const sockets = new Set<Socket>();
  let cutBefore: ((request: string) => boolean) | undefined;
  const gate = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    let isCut = false;
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (chunk) => {
      if (cutBefore?.(chunk.toString('latin1'))) {
        isCut = true;
        cutBefore = undefined;
      }
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (isCut) near.destroy();
      else near.write(chunk);
    });
  });
  gate.listen(0, '127.0.0.1');
  await once(gate, 'listening');
  closes.push(async () => {
    for (const socket of sockets) socket.destroy();
    gate.close();
  });
  const address = gate.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return {
    port: address.port,
    cutNextResponseTo(isMeant: (request: string) => boolean): void {
      cutBefore = isMeant;
    },
  };
}

withRedis.test('a write whose response is lost is reported, and not done twice', async () => {
  const server = await startServer();
  const gate = await startGate(server.port);
  const prefix = newPrefix();
  const { state } = await open(gate.port, { prefix });
  const { state: direct } = await open(server.port, { prefix });
  const sandbox = state.sandbox('s');
  await count(sandbox);
  gate.cutNextResponseTo((request) => request.includes('EVALSHA'));
  await expect(count(sandbox)).rejects.toThrow(StateUnavailableError);
  expect(await direct.sandbox('s').read(counters, 'a')).toBe(2);
  await isReady(state).toBe(true);
  expect(await count(sandbox)).toBe(3);
});
