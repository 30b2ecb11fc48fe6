/** A server with a replica, and a sentinel that promotes the replica when the server is gone. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RedisAddress } from '../../src/config/redis-address.js';
import { commandsOf } from './find-program.js';
import { encryptedBy, freePort, type RedisServer, type Secured, startRedis } from './redis.js';
import { ask } from './redis-cluster.js';

export interface WatchedRedis {
  readonly master: RedisServer;
  readonly replica: RedisServer;
  readonly address: RedisAddress;
  /** The end of STATE_URL, from the hosts on. */
  readonly hosts: string;
  close(): Promise<void>;
}

const group = 'practice';

export async function startWatchedRedis(secured?: Secured): Promise<WatchedRedis> {
  const options = secured && { secured };
  const [master, replica] = await Promise.all([startRedis(options), startRedis(options)]);
  const masterPort = master.tlsPort ?? master.port;
  await ask(replica, ['REPLICAOF', '127.0.0.1', String(masterPort)]);
  await until(async () => /master_link_status:up/.test(String(await ask(replica, ['INFO']))));
  const directory = mkdtempSync(join(tmpdir(), 'practice-api-sentinel-'));
  const file = join(directory, 'sentinel.conf');
  const port = await freePort();
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${directory}`,
    `sentinel monitor ${group} 127.0.0.1 ${masterPort} 1`,
    `sentinel down-after-milliseconds ${group} 1000`,
    `sentinel failover-timeout ${group} 5000`,
  ];
  const tlsPort = secured && (await freePort());
  if (secured !== undefined) lines.push(`sentinel auth-pass ${group} ${secured.password}`);
  const encryption = secured && tlsPort ? encryptedBy(secured, tlsPort) : [];
  writeFileSync(file, `${lines.join('\n')}\n`);
  const program = commandsOf('redis')[0] ?? 'redis-server';
  const sentinel: ChildProcess = spawn(program, [file, '--sentinel', ...encryption], {
    stdio: 'ignore',
  });
  const url = `redis://127.0.0.1:${port}`;
  const knowsReplica = async () =>
    /slaves=1/.test(String(await ask({ url }, ['INFO', 'sentinel']).catch(() => '')));
  await until(knowsReplica);
  return {
    master,
    replica,
    hosts: `localhost:${tlsPort ?? port}/${group}`,
    address: {
      kind: 'sentinel',
      // The first is absent, as sentinels may be.
      nodes: [await freePort(), port].map((each) => ({ host: '127.0.0.1', port: each })),
      group,
      isEncrypted: false,
      database: 0,
    },
    async close() {
      const ended = new Promise((resolve) => sentinel.once('exit', resolve));
      sentinel.kill('SIGKILL');
      await ended;
      await Promise.all([master.close(), replica.close()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(50);
}
