/** A cluster of Redis or Valkey servers of a test's own: three that hold keys, perhaps with a replica each. */

import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createClient } from '@redis/client';
import type { RedisAddress } from '../../src/state/redis/redis-address.js';
import { type RedisServer, startRedis } from './redis.js';

export interface RedisCluster {
  readonly nodes: readonly RedisServer[];
  readonly address: RedisAddress;
  /** As in STATE_URL. */
  readonly url: string;
  /** The node that answers for a key now, and the one that copies it. */
  holdersOf(key: string): Promise<{ readonly master: RedisServer; readonly replica?: RedisServer }>;
  close(): Promise<void>;
}

/** Without a word from a node for so long, the others take it for dead. */
const nodeTimeoutMs = 1500;

export async function startRedisCluster({ hasReplicas = false } = {}): Promise<RedisCluster> {
  const settings = ['--cluster-enabled', 'yes', '--cluster-node-timeout', String(nodeTimeoutMs)];
  const count = hasReplicas ? 6 : 3;
  const nodes = await Promise.all(
    Array.from({ length: count }, () => startRedis({ settings, isDurable: hasReplicas })),
  );
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const replicas = ['--cluster-replicas', hasReplicas ? '1' : '0', '--cluster-yes'];
  await promisify(execFile)('redis-cli', ['--cluster', 'create', ...hosts, ...replicas]);
  const isWhole = new RegExp(`cluster_state:ok[^]*cluster_known_nodes:${count}\\b`);
  for (const node of nodes) {
    while (!isWhole.test(String(await ask(node, ['CLUSTER', 'INFO'])))) await delay(20);
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

type SlotRange = [from: number, to: number, ...nodes: [string, number][]];

/** What one server answers by itself. */
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
