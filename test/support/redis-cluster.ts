/**
 * A cluster of Redis or Valkey servers for a test: three that hold keys, perhaps with a replica
 * each.
 */

import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createClient } from '@redis/client';
import type { RedisAddress } from '../../src/config/redis-address.js';
import { freePort, type RedisServer, type Secured, startRedis } from './redis.js';

export interface RedisCluster {
  readonly nodes: readonly RedisServer[];
  readonly address: RedisAddress;
  /** The URL for STATE_URL. */
  readonly url: string;
  /** The node that serves a key now, and its replica. */
  holdersOf(key: string): Promise<{ readonly master: RedisServer; readonly replica?: RedisServer }>;
  close(): Promise<void>;
}

/** After this time without a message from a node, the others consider it dead. */
const nodeTimeoutMs = 1500;

export interface ClusterOptions {
  readonly hasReplicas?: boolean;
  readonly secured?: Secured;
}

export async function startRedisCluster({
  hasReplicas = false,
  secured,
}: ClusterOptions = {}): Promise<RedisCluster> {
  const settings = ['--cluster-enabled', 'yes', '--cluster-node-timeout', String(nodeTimeoutMs)];
  if (secured !== undefined) settings.push('--tls-cluster', 'yes');
  const count = hasReplicas ? 6 : 3;
  const nodes = await Promise.all(
    Array.from({ length: count }, async () =>
      startRedis({
        port: await portForNode(),
        settings,
        isDurable: hasReplicas,
        ...(secured && { secured, tlsPort: await portForNode() }),
      }),
    ),
  );
  const hosts = nodes.map(({ port, tlsPort = port }) => `127.0.0.1:${tlsPort}`);
  const replicas = ['--cluster-replicas', hasReplicas ? '1' : '0', '--cluster-yes'];
  const access = secured
    ? ['--tls', '--cacert', secured.certificate, '-a', secured.password, '--no-auth-warning']
    : [];
  await promisify(execFile)('redis-cli', [...access, '--cluster', 'create', ...hosts, ...replicas]);
  const isWhole = new RegExp(`cluster_state:ok[^]*cluster_known_nodes:${count}\\b`);
  for (const node of nodes) {
    while (!isWhole.test(String(await ask(node, ['CLUSTER', 'INFO'])))) await delay(20);
    while (hasReplicas && !(await isCopied(node))) await delay(50);
  }

  function nodeAt(port: number): RedisServer | undefined {
    return nodes.find((node) => node.port === port);
  }

  return {
    nodes,
    address: {
      kind: 'cluster',
      nodes: nodes.map(({ port }) => ({ host: '127.0.0.1', port })),
      isEncrypted: false,
      database: 0,
    },
    url: `redis+cluster://${hosts.join(',')}`,
    async holdersOf(key) {
      for (const node of nodes) {
        const slot = await ask(node, ['CLUSTER', 'KEYSLOT', key]).catch(() => undefined);
        if (slot === undefined) continue;
        const ranges = (await ask(node, ['CLUSTER', 'SLOTS'])) as SlotRange[];
        const range = ranges.find(([from, to]) => from <= Number(slot) && Number(slot) <= to);
        const [master, replica] = (range?.slice(2) ?? []) as [string, number][];
        const holder = nodeAt(Number(master?.[1]));
        const copy = nodeAt(Number(replica?.[1]));
        if (holder !== undefined) return { master: holder, ...(copy && { replica: copy }) };
      }
      throw new Error(`No node knows who holds ${key}.`);
    },
    async close() {
      await Promise.all(nodes.map((node) => node.close()));
    },
  };
}

/** Nodes connect to each other at the port plus 10,000. */
async function portForNode(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (port + 10_000 < 65_536 && (await isFree(port + 10_000))) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Whether the node knows a replica of each, and it or its own has all data. */
async function isCopied(node: RedisServer): Promise<boolean> {
  const ranges = (await ask(node, ['CLUSTER', 'SLOTS'])) as SlotRange[];
  const replication = String(await ask(node, ['INFO', 'replication']));
  const isLinked = /master_link_status:up|slave0:\S*state=online/.test(replication);
  return isLinked && ranges.every((range) => range.length >= 4);
}

type SlotRange = [from: number, to: number, ...nodes: [string, number][]];

/** The responses of one server itself. */
export async function ask(
  { url }: { readonly url: string },
  command: readonly string[],
): Promise<unknown> {
  const client = createClient({ url, socket: { reconnectStrategy: false } });
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.sendCommand([...command]);
  } finally {
    client.destroy();
  }
}
