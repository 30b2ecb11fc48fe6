/** One client for each kind of address, made with the library's own for servers and clusters. */

import { createClient, createCluster, RESP_TYPES } from '@redis/client';
import type { RedisAddress, RedisNode } from '../../config/redis-address.js';

export type Argument = string | Buffer;

export interface RedisClient {
  /** Resolves when it is connected and hears the channel; rejects when it gives up. */
  connect(): Promise<unknown>;
  /** Goes to where the key is. Fails at once while there is no connection: nothing queues up. */
  send(key: string, args: readonly Argument[], isBinary: boolean): Promise<unknown>;
  destroy(): void;
}

export interface RedisClientOptions {
  readonly address: RedisAddress;
  readonly channel: string;
  readonly onMessage: (message: string) => void;
  /** A connection was lost or could not be made; the library goes on trying. */
  readonly onError: (error: Error) => void;
  /** A connection is there, for the first time or again. */
  readonly onReady: () => void;
  /** The library will not try again. */
  readonly onEnd: () => void;
}

export const connectTimeoutMs = 3000;

/** A connection that nobody uses is tried this often, before a server or a proxy cuts it as idle. */
const heartbeatMs = 20_000;

/** After a node of a cluster is lost, the others are asked this soon who has its place. */
const askOthersAfterMs = 100;

/** Maps as keys and values in turn. */
const textReplies = { typeMapping: { [RESP_TYPES.MAP]: Array } };
const binaryReplies = { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } };

export function createRedisClient(options: RedisClientOptions): RedisClient {
  const { kind } = options.address;
  if (kind === 'cluster') return clusterClient(options);
  return kind === 'sentinel' ? clientBySentinels(options) : serverClient(options);
}

/** The pauses between attempts grow; replicas that lost a server together shall not come back in step. */
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

/** A connection that hears a channel may be cut for large replies, so the channel has one of its own. */
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
 * The library's client for sentinels sends a command again whose connection was lost, which may have been
 * carried out. This one asks where the server is and keeps to it until it is lost; then another is made.
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

/** Rejects when no sentinel can be asked or none knows the group. Sentinels take no password here. */
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
      cause = new Error(`The sentinels know no group ${group}.`);
    } catch (error) {
      cause = error;
    } finally {
      clearTimeout(timer);
      sentinel.destroy();
    }
  }
  throw cause;
}
