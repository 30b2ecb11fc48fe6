/**
 * The state in a Redis or Valkey server, which any number of processes share. Every operation is one
 * script, so it is atomic; an update is a read and a write that takes place only if nothing came between.
 * What is stored how is told in redis-scripts.ts.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { ErrorReply } from '@redis/client';
import type { Logger } from 'pino';
import { createBoundedCache } from '../bounded-cache.js';
import { type Entry, foldUpdates, isLive, type WaitingUpdate } from './fold-updates.js';
import { type Link, type RedisAddress, RedisConnection } from './redis-connection.js';
import { RedisLog } from './redis-log.js';
import { type ScriptName, scripts } from './redis-scripts.js';
import {
  type Change,
  type Clock,
  defaultSandboxLimits,
  type Log,
  type LogSpace,
  permanentSandboxes,
  type Sandbox,
  type SandboxLimits,
  type Space,
  type State,
  StateFullError,
  StateUnavailableError,
  sandboxFull,
} from './state.js';
import { Wakes } from './wakes.js';

export interface RedisStateOptions {
  readonly address: RedisAddress;
  /** All keys begin with it; states with the same prefix on one server are one. */
  readonly prefix: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** What all logs hold together. */
  readonly maxLogBytes?: number;
  readonly limits?: SandboxLimits;
}

/** A value as it was last seen here: what did not change is neither sent nor parsed again. */
interface KnownValue {
  readonly version: string;
  readonly json: string;
  /** Parsed when first used, once: what is derived from the object stays right as well. */
  value: unknown;
}

const knownValueBounds = { maxEntries: 5000, maxWeight: 16 * 1024 * 1024 };

/** What was found under a key, at a time of its sandbox. */
interface Found {
  readonly version: string;
  readonly entry: Entry | undefined;
  readonly offsetMs: string;
  readonly nowMs: number;
}

/** As many writers of one key as that may come first, before one gives up. */
const maxAttempts = 200;
/** From here on it pauses in between. */
const patientAttempts = 5;

/** Of a key in a hash or a sorted set, and of what is known of an entry. */
const placeBytes = 80;
const headBytes = 50;

const noVersion = '0';

/** What the channel says of a sandbox that went; of a log it says the key. */
const droppedSandbox = 'sandbox:';

/**
 * Resolves when the server was reached, however long that takes. Rejects when `signal` is aborted
 * before.
 */
export async function openRedisState(
  {
    address,
    prefix,
    clock,
    log,
    maxLogBytes = Number.MAX_SAFE_INTEGER,
    limits = defaultSandboxLimits,
  }: RedisStateOptions,
  signal: AbortSignal,
): Promise<State> {
  let knownValues = newKnownValues();
  const wakes = new Wakes();
  const updates = new Map<string, WaitingUpdate[]>();
  const connection = new RedisConnection({
    address,
    prefix,
    log,
    channel: `${prefix}wake`,
    onMessage(message) {
      if (!message.startsWith(droppedSandbox)) return wakes.wake(message);
      const logs = `${prefix}log:${message.slice(droppedSandbox.length)}|`;
      wakes.wakeAll((logKey) => logKey.startsWith(logs));
    },
    onReturn() {
      // A server that came back from an older copy of its data may give versions a second time.
      knownValues = newKnownValues();
      wakes.wakeAll();
    },
  });
  await connection.open(signal);

  async function run(
    link: Link,
    script: ScriptName,
    sandboxName: string,
    args: readonly (string | Buffer)[] = [],
    isBinary = false,
  ): Promise<unknown> {
    const all = [
      '0',
      prefix,
      String(clock()),
      sandboxName,
      permanentSandboxes.includes(sandboxName) ? '1' : '0',
      String(limits.maxSandboxes),
      String(limits.idleMs),
      String(limits.maxBytes),
      String(limits.maxSandboxesPerOwner),
      String(limits.maxBytesPerOwner),
      String(Math.min(maxLogBytes, Number.MAX_SAFE_INTEGER)),
      ...args,
    ];
    const { hash, text } = scripts[script];
    try {
      return await link.send(['EVALSHA', hash, ...all], isBinary);
    } catch (error) {
      // It has not run: the server does not know it, as after a restart.
      if (!(error instanceof ErrorReply && error.message.startsWith('NOSCRIPT'))) throw error;
      return link.send(['EVAL', text, ...all], isBinary);
    }
  }

  function foundIn(id: string, reply: readonly string[], before: KnownValue | undefined): Found {
    const [offsetMs = '0', version = noVersion, expiry = '-', json] = reply;
    const nowMs = clock() + Number(offsetMs);
    if (version === noVersion) return { version, entry: undefined, offsetMs, nowMs };
    const expiresAtMs = expiry === '-' ? Number.POSITIVE_INFINITY : Number(expiry);
    const known = before?.version === version ? before : keepKnown(id, version, json ?? undefined);
    const entry = {
      value: known && parsedValueOf(known),
      // Without a value it had expired when it was read, whatever our clock says.
      expiresAtMs: known === undefined ? Number.NEGATIVE_INFINITY : expiresAtMs,
    };
    return { version, entry, offsetMs, nowMs };
  }

  function keepKnown(
    id: string,
    version: string,
    json: string | undefined,
  ): KnownValue | undefined {
    if (json === undefined) return undefined;
    const known: KnownValue = { version, json, value: undefined };
    knownValues.keep(id, known);
    return known;
  }

  async function find(link: Link, sandboxName: string, space: Space<unknown>, key: string) {
    const id = idOf(sandboxName, space, key);
    const known = knownValues.find(id);
    const args = [space.name, key, known?.version ?? ''];
    const reply = (await run(link, 'read', sandboxName, args)) as string[];
    return foundIn(id, reply, known);
  }

  /** Updates of one key that come while one is under way wait, and then go together. */
  function enqueue(
    sandboxName: string,
    space: Space<unknown>,
    key: string,
    change: WaitingUpdate['change'],
  ): Promise<unknown> {
    const id = idOf(sandboxName, space, key);
    return new Promise((resolve, reject) => {
      const update = { change, resolve, reject };
      const waiting = updates.get(id);
      if (waiting !== undefined) {
        waiting.push(update);
        return;
      }
      const queue = [update];
      updates.set(id, queue);
      void workOff(id, queue, sandboxName, space, key);
    });
  }

  async function workOff(
    id: string,
    queue: WaitingUpdate[],
    sandboxName: string,
    space: Space<unknown>,
    key: string,
  ): Promise<void> {
    while (queue.length > 0) {
      try {
        await commit(id, queue, sandboxName, space, key);
      } catch (error) {
        // Whether it was written is not known, so nobody may try it again for the caller.
        for (const { reject } of queue.splice(0)) reject(error);
      }
    }
    updates.delete(id);
  }

  /** Carries out all updates of the queue in one write, and takes them out of it. */
  async function commit(
    id: string,
    queue: WaitingUpdate[],
    sandboxName: string,
    space: Space<unknown>,
    key: string,
  ): Promise<void> {
    const link = connection.link();
    let found = await find(link, sandboxName, space, key);
    let fullSpace: string | undefined;
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const batch = [...queue];
      const folded = foldUpdates(batch, found.entry, found.nowMs, fullSpace);
      if (folded.outcome === undefined) {
        queue.splice(0, batch.length);
        folded.settle();
        return;
      }
      const { args, json } = writeArguments(space, key, found, folded.outcome, folded.isNew);
      const reply = (await run(link, 'write', sandboxName, args)) as string[];
      const [answer, version = noVersion] = reply;
      if (answer === 'written') {
        if (json !== undefined) keepKnown(id, version, json);
        queue.splice(0, batch.length);
        folded.settle();
        return;
      }
      refuseIfFull(answer, limits);
      fullSpace = answer === 'full' ? space.name : undefined;
      if (fullSpace !== undefined) continue;
      if (attempt > patientAttempts) await delay(Math.random() * Math.min(attempt, 20));
      found = foundIn(id, reply.slice(1), knownValues.find(id));
    }
    throw new StateUnavailableError({
      cause: new Error(`${maxAttempts} writers of ${id} came first.`),
    });
  }

  function newSandbox(name: string): Sandbox {
    const runHere = async (
      script: ScriptName,
      args: readonly (string | Buffer)[] = [],
      isBinary = false,
    ) => run(connection.link(), script, name, args, isBinary);

    async function status() {
      const [createdAtMs, lastUsedAtMs, offsetMs] = (await runHere('status')) as string[];
      if (createdAtMs === undefined) return undefined;
      return {
        createdAtMs: Number(createdAtMs),
        lastUsedAtMs: Number(lastUsedAtMs),
        clockOffsetMs: Number(offsetMs),
      };
    }

    return {
      name,

      async now() {
        const known = await status();
        return clock() + (known?.clockOffsetMs ?? 0);
      },

      async read<Value>(space: Space<Value>, key: string) {
        const { entry, nowMs } = await find(connection.link(), name, space, key);
        return isLive(entry, nowMs) ? (entry.value as Value) : undefined;
      },

      async update<Value, Result>(
        space: Space<Value>,
        key: string,
        change: (current: Value | undefined, nowMs: number) => Change<Value, Result>,
      ) {
        return enqueue(name, space, key, change as WaitingUpdate['change']) as Promise<Result>;
      },

      async entries<Value>(space: Space<Value>) {
        const flat = (await runHere('entries', [space.name])) as string[];
        const found: [string, Value][] = [];
        for (let place = 0; place < flat.length; place += 2) {
          found.push([flat[place] ?? '', JSON.parse(flat[place + 1] ?? 'null')]);
        }
        return found;
      },

      log<Item>(space: LogSpace<unknown, Item>, key: string): Log<Item> {
        const logKey = `${prefix}log:${name}|${space.name}|${key}`;
        return new RedisLog<Item>({ space, key, logKey, wakes, run: runHere });
      },

      status,

      async setClockOffset(offsetMs) {
        refuseIfFull(await runHere('setClockOffset', [String(offsetMs)]), limits);
      },

      async reset() {
        await runHere('reset');
      },
    };
  }

  return {
    limits,
    sandbox: newSandbox,
    async resetOwned(owner) {
      await run(connection.link(), 'resetOwned', '', [owner]);
    },
    async sandboxHolding(space, key) {
      const args = [space.name, key, ...permanentSandboxes];
      const name = (await run(connection.link(), 'findHolder', '', args)) as string | null;
      return name === null ? undefined : newSandbox(name);
    },
    async sizes() {
      const reply = (await run(connection.link(), 'sizes', '')) as string[];
      const [sandboxes = 0, valueBytes = 0, logEntries = 0, logBytes = 0] = reply.map(Number);
      return { sandboxes, valueBytes, logEntries, logBytes };
    },
    isReady: () => connection.isReady(),
    async close() {
      wakes.close();
      await connection.close();
    },
  };
}

function newKnownValues() {
  return createBoundedCache<KnownValue>({
    ...knownValueBounds,
    weigh: ({ json }) => json.length,
  });
}

function refuseIfFull(answer: unknown, limits: SandboxLimits): void {
  if (answer === 'sandboxFull') throw sandboxFull(limits);
  if (answer === 'stateFull') throw new StateFullError();
}

function parsedValueOf(known: KnownValue): unknown {
  known.value ??= JSON.parse(known.json);
  return known.value;
}

/** Names of sandboxes and spaces have no such line. */
function idOf(sandboxName: string, space: Space<unknown>, key: string): string {
  return `${sandboxName}|${space.name}|${key}`;
}

function writeArguments(
  space: Space<unknown>,
  key: string,
  { version, offsetMs }: Found,
  outcome: 'deleted' | Entry,
  isNew: boolean,
): { readonly args: readonly string[]; readonly json?: string } {
  const flags = [
    'maxEntries' in space && 'l',
    space.isFindable && 'f',
    space.isKeptWhenFull && 'k',
  ].filter(Boolean);
  const expected = [space.name, flags.join(''), String(space.maxKeys), key, version, offsetMs];
  if (outcome === 'deleted') return { args: expected };
  const json = JSON.stringify(outcome.value);
  const expiry = Number.isFinite(outcome.expiresAtMs) ? String(outcome.expiresAtMs) : '-';
  const bytes = String(entryBytes(space, key, json));
  return { args: [...expected, isNew ? '1' : '0', json, expiry, bytes], json };
}

/** What the server spends on an entry: the key is in three places, or one more for each thing it can. */
function entryBytes(space: Space<unknown>, key: string, json: string): number {
  const places = 3 + (space.isFindable ? 2 : 0) + (space.isKeptWhenFull ? 1 : 0);
  return places * (placeBytes + Buffer.byteLength(key)) + headBytes + Buffer.byteLength(json);
}
