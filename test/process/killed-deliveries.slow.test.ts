/** Deliveries while listener, receiver and service are killed at random moments: nothing is lost, and the listener reports repetitions. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { seededNumbers } from '../../src/base/seeded-numbers.js';
import { hooksOf, path } from '../deliveries/hooks.js';
import { caseCount, patientlyTried, seed } from '../support/case-count.js';
import { testsWith } from '../support/foreign-program.js';
import { startRedis } from '../support/redis.js';
import { builtProgram, endPrograms, runProgram } from '../support/run-program.js';
import { send } from '../support/service.js';
import { stateTimeOf, useFolder } from '../support/state-file.js';

endPrograms();
const pathOf = useFolder();
const kills = caseCount(6, 50);
const objects = 5;

/** A port that is free now, for a service that is started again. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A receiver whose connections are cut at a kill; it remembers what it received. */
class MortalReceiver {
  readonly received: { readonly id: string; readonly object: string; readonly version: number }[] =
    [];
  readonly #port: number;
  #server: Server | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hook`;
  }

  async start(): Promise<void> {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const { data } = JSON.parse(String(Buffer.concat(chunks)));
        const id = String(request.headers['webhook-id']);
        this.received.push({ id, object: data.name, version: data.version });
        setTimeout(() => response.writeHead(204).end(), 5);
      });
    }).listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async kill(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}

interface Line {
  readonly event: { readonly id: string };
  readonly attempt: number;
  readonly status: number | null;
  readonly repeated?: string;
}

/** Status of a listener that cannot reach the service. */
const unreachable = 2;

class MortalListener {
  readonly lines: Line[] = [];
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;

  constructor(args: readonly string[]) {
    this.#args = args;
  }

  start(): void {
    const child = spawn(process.execPath, [builtProgram, 'listen', '--json', ...this.#args]);
    this.#child = child;
    // It ends if the service is down at its start, and a supervisor starts it again.
    child.once('exit', (status) => {
      if (status === unreachable && this.#child === child) this.start();
    });
    let rest = '';
    child.stdout.on('data', (chunk) => {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.lines.push(JSON.parse(line) as Line);
    });
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
}

async function run(stateArgs: readonly string[], saved?: () => number): Promise<void> {
  const random = seededNumbers(String(seed));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const start = async () => {
    const program = runProgram(['--port', String(port), '--host', '127.0.0.1', ...stateArgs]);
    await program.started;
    return program;
  };
  let program = await start();
  const hooks = hooksOf({ send: (target, options) => send(url, target, options) }, 'mortal');
  await hooks.call('PUT /api/sandbox/data', { things: [] });
  const retrySchedule = [0, 0, ...Array.from({ length: 15 }, () => 1)];
  const { id } = await hooks.subscribe({ events: ['things.*'], retrySchedule });
  const ids: number[] = [];
  for (let count = 0; count < objects; count++) {
    const created = await hooks.call('POST /my/things', { name: `thing-${count}`, version: -1 });
    ids.push(created.json.id);
  }
  const createdAtMs = Date.now();
  // The test begins once the file was written for the first time.
  if (saved !== undefined) await expect.poll(saved).toBeGreaterThan(createdAtMs);
  const receiver = new MortalReceiver(await freePort());
  await receiver.start();
  const listener = new MortalListener([
    ...['--url', url, '--sandbox', 'mortal', '--forward', receiver.url],
  ]);
  listener.start();

  let isOver = false;
  let version = 0;
  const writing = (async () => {
    while (!isOver) {
      const name = `thing-${version % objects}`;
      const target = `PUT /my/things/${ids[version % objects]}`;
      await hooks.call(target, { name, version }).catch(() => {});
      version += 1;
      await sleep(10);
    }
  })();

  const kill = {
    async service() {
      program.process.kill('SIGKILL');
      await program.ended;
      program = await start();
    },
    async receiver() {
      await receiver.kill();
      await receiver.start();
    },
    async listener() {
      await listener.kill();
      listener.start();
    },
  };
  const names = ['service', 'receiver', 'listener'] as const;
  for (let count = 0; count < kills; count++) {
    await sleep(100 + random() * 900);
    await kill[names[Math.floor(random() * names.length)] ?? 'service']();
  }
  await sleep(1000);
  isOver = true;
  await writing;

  // Everything that the service still has is delivered in the end.
  const waiting = async () =>
    (await hooks.call(`GET ${path}/${id}/deliveries?state=waiting`)).json.deliveries.length;
  await expect.poll(waiting, { timeout: 120_000 }).toBe(0);
  const all: { readonly event: { readonly id: string }; readonly state: string }[] = [];
  for (let before = ''; ; ) {
    const { json } = await hooks.call(`GET ${path}/${id}/deliveries?limit=100${before}`);
    all.push(...json.deliveries);
    if (json.next === undefined) break;
    before = `&before=${json.next}`;
  }
  const arrived = new Set(receiver.received.map((each) => each.id));
  expect(all.filter(({ event }) => !arrived.has(event.id))).toEqual([]);
  expect(all.filter(({ state }) => state !== 'delivered')).toEqual([]);
  expect(all.length).toBeGreaterThan(kills);

  // In order for each object, apart from repetitions.
  const latest = new Map<string, number>();
  const seen = new Set<string>();
  for (const each of receiver.received) {
    if (seen.has(each.id)) continue;
    seen.add(each.id);
    expect(each.version).toBeGreaterThan(latest.get(each.object) ?? -2);
    latest.set(each.object, each.version);
  }

  // A delivery that arrived again is a later attempt, or the listener calls it a repetition.
  const said = listener.lines.filter(
    ({ attempt, repeated }) => attempt > 1 || repeated !== undefined,
  );
  const saidIds = new Set(said.map(({ event }) => event.id));
  const counts = new Map<string, number>();
  for (const each of receiver.received) counts.set(each.id, (counts.get(each.id) ?? 0) + 1);
  const silent = [...counts].filter(([event, count]) => count > 1 && !saidIds.has(event));
  expect(silent).toEqual([]);
  await listener.kill();
  await receiver.kill();
  program.process.kill('SIGKILL');
  await program.ended;
}

describe(`after ${kills} kills of listener, receiver and service`, () => {
  test('nothing is lost with --state-file', { ...patientlyTried, timeout: 600_000 }, () =>
    run(['--state-file', pathOf('deliveries')], () => stateTimeOf(pathOf('deliveries')) ?? 0),
  );

  testsWith('redis').test(
    'nothing is lost over Redis',
    { ...patientlyTried, timeout: 600_000 },
    async () => {
      const redis = await startRedis();
      try {
        await run(['--state-url', redis.url]);
      } finally {
        await redis.close();
      }
    },
  );
});
