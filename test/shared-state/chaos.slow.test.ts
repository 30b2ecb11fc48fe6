/**
 * Counts lost and duplicated effects when a replica, the proxy or the store fails under load. Each
 * test runs for PRACTICE_CHAOS_SECONDS (2 unless set) and prints its counts. A run tries every
 * third failure.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect } from 'vitest';
import { everyThird } from '../support/every-third.js';
import { testsWith } from '../support/foreign-program.js';
import { startProxy } from '../support/proxy.js';
import { freePort, startRedis } from '../support/redis.js';
import { ask, startRedisCluster } from '../support/redis-cluster.js';
import { endPrograms, type Program, runProgram } from '../support/run-program.js';
import { type Effects, Workload } from './workload.js';

endPrograms();

const seconds = Number(process.env.PRACTICE_CHAOS_SECONDS ?? 2);
const patient = { timeout: 60_000 + 10_000 * seconds };
const workersPerKind = 3;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Replica {
  readonly url: string;
  /** Ends the process by a signal, and starts another instead. */
  restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

async function startReplica(stateUrl: string): Promise<Replica> {
  const port = await freePort();
  const flags = ['--port', String(port), '--host', '127.0.0.1', '--drain-seconds', '3'];
  function start(): Program {
    return runProgram([...flags, '--state-url', stateUrl, '--trust-proxy', '127.0.0.1']);
  }
  let program = start();
  await program.started;
  return {
    url: `http://127.0.0.1:${port}`,
    async restart(signal) {
      program.process.kill(signal);
      await program.ended;
      program = start();
      await program.started;
    },
  };
}

/** Two replicas on disk-backed state behind the proxy, and the load on them. */
async function startAll() {
  const redis = await startRedis({ isDurable: true });
  closing.push(() => redis.close());
  return { redis, ...(await startReplicas(redis.url)) };
}

async function startReplicas(stateUrl: string) {
  const replicas = [await startReplica(stateUrl), await startReplica(stateUrl)] as const;
  const proxy = await startProxy(replicas.map(({ url }) => url));
  closing.push(() => proxy.stop());
  await untilReady(proxy.url);
  const workload = new Workload(proxy.url);
  return { replicas, workload, untilAllReady: () => untilAllReady(replicas, proxy.url) };
}

async function untilAllReady(replicas: readonly Replica[], proxyUrl: string): Promise<void> {
  for (const { url } of [...replicas, { url: proxyUrl }]) await untilReady(url);
}

async function untilReady(url: string): Promise<void> {
  const isReady = () =>
    fetch(`${url}/health/ready`).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(isReady, { timeout: 30_000, interval: 50 }).toBe(200);
}

/** Prints the counts by kind, and returns their sum. */
function report(title: string, { refreshes, windows, captures, failures }: Workload): Effects {
  const kinds = { refreshes, windows, captures };
  const lines = Object.entries(kinds).map(
    ([kind, { rounds, failed, uncertain, lost, doubled }]) =>
      `  ${kind}: ${rounds} rounds, ${failed} failed requests, ${uncertain} uncertain, ${lost} lost, ${doubled} doubled`,
  );
  const causes = [...failures].map(([cause, times]) => `${cause} × ${times}`).join(', ');
  console.log([`${title}:`, ...lines, `  failures: ${causes || 'none'}`].join('\n'));
  const all = Object.values(kinds);
  const sumOf = (field: keyof Effects) => all.reduce((sum, each) => sum + each[field], 0);
  return {
    rounds: sumOf('rounds'),
    failed: sumOf('failed'),
    uncertain: sumOf('uncertain'),
    lost: sumOf('lost'),
    doubled: sumOf('doubled'),
  };
}

const { test } = testsWith('redis', 'haproxy');

/** The failures, keyed by the end of the test's title. */
const simulatedFailures: Readonly<Record<string, () => Promise<void>>> = {
  async 'when the server of the state is killed and restarted'() {
    const { redis, workload, untilAllReady } = await startAll();
    workload.start(workersPerKind);
    for (let round = 0; round < 2; round++) {
      await sleep((seconds / 2) * 1000);
      await redis.stop('SIGKILL');
      await sleep(500);
      await redis.start();
      await untilAllReady();
    }
    await sleep(500);
    await workload.stop();
    await workload.checkCaptures();
    const { rounds, failed, lost, doubled } = report('The state killed twice', workload);
    expect(rounds).toBeGreaterThan(10);
    expect(failed, 'the load met the failure').toBeGreaterThan(0);
    expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 });
  },

  async 'when replicas are killed'() {
    const { replicas, workload, untilAllReady } = await startAll();
    workload.start(workersPerKind);
    for (const replica of replicas) {
      await sleep((seconds / 2) * 1000);
      await replica.restart('SIGKILL');
      await untilAllReady();
    }
    await sleep(500);
    await workload.stop();
    await workload.checkCaptures();
    const { rounds, lost, doubled } = report('Each replica killed', workload);
    expect(rounds).toBeGreaterThan(10);
    expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 });
  },

  async 'and no request fails in a rolling restart'() {
    const { replicas, workload, untilAllReady } = await startAll();
    workload.start(workersPerKind);
    for (const replica of replicas) {
      await sleep((seconds / 2) * 1000);
      await replica.restart('SIGTERM');
      await untilAllReady();
    }
    await sleep(500);
    await workload.stop();
    await workload.checkCaptures();
    const all = report('A rolling restart', workload);
    expect(all.rounds).toBeGreaterThan(10);
    expect({ ...all, rounds: 0 }).toEqual({
      rounds: 0,
      failed: 0,
      uncertain: 0,
      lost: 0,
      doubled: 0,
    });
  },

  'when a node of a cluster is killed, and its replica replaces it': () => changeNode('killed'),

  'when a node of a cluster hands over to its replica': () => changeNode('asked'),
};

async function changeNode(how: 'killed' | 'asked'): Promise<void> {
  const cluster = await startRedisCluster({ hasReplicas: true });
  closing.push(() => cluster.close());
  const { workload, untilAllReady } = await startReplicas(cluster.url);
  // The state of the sandbox with the windows and refreshes.
  const key = 'practice-api:{s:}';
  const { master, replica } = await cluster.holdersOf(key);
  if (replica === undefined) throw new Error('Each node has a replica.');
  workload.start(workersPerKind);
  await sleep((seconds / 2) * 1000);
  if (how === 'killed') await master.stop('SIGKILL');
  else await ask(replica, ['CLUSTER', 'FAILOVER']);
  await expect
    .poll(async () => (await cluster.holdersOf(key)).master.port, { timeout: 60_000 })
    .toBe(replica.port);
  await untilAllReady();
  await sleep((seconds / 2) * 1000);
  await workload.stop();
  await workload.checkCaptures();
  const { rounds, lost, doubled } = report(`A node of a cluster ${how}`, workload);
  expect(rounds).toBeGreaterThan(10);
  expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 });
}

describe('under load, nothing acknowledged is lost and nothing is done twice', () => {
  test.each(everyThird(Object.keys(simulatedFailures)))('%s', patient, async (failure) => {
    await simulatedFailures[failure]?.();
  });
});
