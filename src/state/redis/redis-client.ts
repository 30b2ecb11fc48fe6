/** Clients of servers, clusters and sentinels, based on the clients of the library. */

import { createClient, createCluster, RESP_TYPES } from '@redis/client';
import type { RedisAddress, RedisNode } from '#config/redis-address.js';

export type Argument = string | Buffer;

export interface RedisClient {
  /** Resolves when it is connected and subscribed; rejects when it gives up. */
  connect(): Promise<unknown>;
  /** Sends a command to the node of the key. Rejects at once without a connection. */
  send(key: string, args: readonly Argument[], isBinary: boolean): Promise<unknown>;
  destroy(): void;
}

export interface RedisClientOptions {
  readonly address: RedisAddress;
  readonly channel: string;
  readonly onMessage: (message: string) => void;
  /** A connection failed; the library tries again. */
  readonly onError: (error: Error) => void;
  readonly onReady: () => void;
  readonly onEnd: () => void;
}

export const connectTimeoutMs = 3000;

/** Interval of probes of an idle connection, so that no server or proxy closes it. */
const heartbeatMs = 20_000;

/** Time until the other nodes of a cluster are queried for the replacement of a lost one. */
const askOthersAfterMs = 100;

/** Maps become alternating keys and values. */
const textReplies = { typeMapping: { [RESP_TYPES.MAP]: Array } };
const binaryReplies = { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } };

export function createRedisClient(options: RedisClientOptions): RedisClient {
  const { kind } = options.address;
  if (kind === 'cluster') return clusterClient(options);
  return kind === 'sentinel' ? clientBySentinels(options) : serverClient(options);
}

/** Increases with the attempts, and is random, so that replicas do not return at the same time. */
export function pauseMs(attempts: number): number {
  return Math.min(50 * 2 ** attempts, 1000) * (0.75 + Math.random() / 2);
}

function settingsOf({ isEncrypted, username, password, database }: RedisAddress, node?: RedisNode) {
  const socket = { ...node, connectTimeout: connectTimeoutMs, reconnectStrategy: pauseMs };
  return {
    socket: isEncrypted ? { ...socket, tls: true as const } : socket,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    database,
    name: 'practice-api',
    disableOfflineQueue: true,
    pingInterval: heartbeatMs,
    maintNotifications: 'disabled' as const,
  };
}

/**
 * The channel has a separate connection, because servers disconnect subscribers that large replies
 * slow down.
 */
function serverClient(
  { address, channel, onMessage, onError, onReady, onEnd }: RedisClientOptions,
  node = address.nodes[0],
): RedisClient {
  const clients = [0, 1].map(() => createClient(settingsOf(address, node)));
  const [commands, listener] = clients as [(typeof clients)[number], (typeof clients)[number]];
  for (const client of clients) {
    client.on('error', onError).on('ready', onReady).on('terminated', onEnd);
  }
  return {
    async connect() {
      await Promise.all(clients.map((client) => client.connect()));
      await listener.subscribe(channel, (message) => onMessage(String(message)));
    },
    send: (_key, args, isBinary) =>
      commands.sendCommand(args as Argument[], isBinary ? binaryReplies : textReplies),
    destroy() {
      for (const client of clients) client.destroy();
    },
  };
}

function clusterClient({
  address,
  channel,
  onMessage,
  onError,
  onReady,
}: RedisClientOptions): RedisClient {
  const cluster = createCluster({
    rootNodes: address.nodes.map(({ host, port }) => ({ socket: { host, port } })),
    defaults: settingsOf(address),
    topologyRefreshOnReconnectionAttemptStrategy: askOthersAfterMs,
  });
  cluster.on('error', onError).on('node-error', onError).on('node-ready', onReady);
  return {
    async connect() {
      await cluster.connect();
      await cluster.subscribe(channel, (message) => onMessage(String(message)));
    },
    send: (key, args, isBinary) =>
      cluster.sendCommand(key, false, args as Argument[], isBinary ? binaryReplies : textReplies),
    destroy: () => cluster.destroy(),
  };
}

/**
 * Asks the sentinels for the server, and uses it until it is lost. The library's own client repeats
 * commands after a lost connection, which may run them twice.
 */
function clientBySentinels(options: RedisClientOptions): RedisClient {
  let client: RedisClient | undefined;
  let isDestroyed = false;
  return {
    async connect() {
      const node = await findServer(options.address);
      if (isDestroyed) return;
      const onError = (error: Error) => {
        options.onError(error);
        options.onEnd();
      };
      client = serverClient({ ...options, onError }, node);
      await client.connect();
    },
    async send(key, args, isBinary) {
      if (client === undefined) throw new Error('No server is known yet.');
      return client.send(key, args, isBinary);
    },
    destroy() {
      isDestroyed = true;
      client?.destroy();
    },
  };
}

/** Rejects if no sentinel responds or none knows the group. Sentinels get no password. */
async function findServer({ nodes, group = '', isEncrypted }: RedisAddress): Promise<RedisNode> {
  let cause: unknown;
  for (const node of nodes) {
    const socket = { ...node, connectTimeout: connectTimeoutMs, reconnectStrategy: false as const };
    const sentinel = createClient({
      socket: isEncrypted ? { ...socket, tls: true as const } : socket,
      disableOfflineQueue: true,
      maintNotifications: 'disabled',
    });
    sentinel.on('error', () => {});
    const timer = setTimeout(() => sentinel.destroy(), connectTimeoutMs);
    try {
      await sentinel.connect();
      const found = await sentinel.sendCommand(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', group]);
      if (Array.isArray(found)) return { host: String(found[0]), port: Number(found[1]) };
      cause = new Error(`The sentinels do not know the group ${group}.`);
    } catch (error) {
      cause = error;
    } finally {
      clearTimeout(timer);
      sentinel.destroy();
    }
  }
  throw cause;
}
