/** Shared by the sandboxes of a process: commands to the server, and cached data. */

import type { Logger } from 'pino';
import type { Awaitable, Clock } from '#base/awaitable.js';
import { createBoundedCache } from '#base/bounded-cache.js';
import {
  idleMsOf,
  type Moment,
  permanentSandboxes,
  type SandboxLimits,
  type Space,
  StateUnavailableError,
  stepBytes,
} from '../state.js';
import type { Wakes } from '../wakes.js';
import { Batches, weighArguments } from './batches.js';
import { KnownRows, type Row, type View } from './known-rows.js';
import type { Argument } from './redis-client.js';
import type { RedisConnection } from './redis-connection.js';
import { Registry } from './registry.js';
import { loadScript } from './scripts.js';

export interface RedisStoreOptions {
  readonly connection: RedisConnection;
  readonly wakes: Wakes;
  readonly prefix: string;
  /** Changes of logs are published there. */
  readonly channel: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limits: SandboxLimits;
  readonly maxLogBytes: number;
}

/** A sandbox at one time. */
export interface Seen {
  readonly createdAtMs: number | undefined;
  readonly offsetMs: string;
  /** Versions of the spaces that were ever written, by {@link versionField}. */
  readonly versions: ReadonlyMap<string, string>;
  readonly askedAtMs: number;
  /** See {@link KnownRows.tick}. */
  readonly askedAt: number;
}

/** For this long, a request relies on what it has seen. Ordinary requests are shorter. */
const maxSeenMs = 1000;

/** Time for which permanent sandboxes are kept without use: 90 days. */
const keptMs = 90 * 24 * 60 * 60 * 1000;

/** How often uses are recorded during the idle time. */
const usesNoted = 16;

/** Attempts to get room, which other processes may use first. */
const maxGrowths = 20;

export class RedisStore {
  readonly known = new KnownRows();
  readonly registry: Registry;
  readonly clock: Clock;
  readonly wakes: Wakes;
  readonly #options: RedisStoreOptions;
  readonly #offsets = createBoundedCache<string>({ maxEntries: 5000 });
  readonly #holders = createBoundedCache<string>({ maxEntries: 5000 });
  /** The state of sandboxes that requests have seen, by name. */
  #seen = new WeakMap<Moment, Map<string, Seen>>();
  /** Questions that several requests ask at once. */
  readonly #questions = new Batches<() => Promise<unknown>, unknown>(async (_, questions) => {
    const response = await questions[0]?.();
    return questions.map(() => response);
  });
  readonly #operations: Batches<readonly Argument[], string[]>;

  constructor(options: RedisStoreOptions) {
    const { connection, prefix, limits, maxLogBytes, clock, wakes } = options;
    this.#options = options;
    this.clock = clock;
    this.wakes = wakes;
    this.registry = new Registry({
      run: loadScript(connection, 'registry'),
      ...{ prefix, limits, maxLogBytes, clock, keptMs },
      drop: (name) => this.ask(name, ['drop']).finally(() => this.forgetSeen()),
      shrinkLogs: (name, bytes) => this.ask(name, ['shrink', bytes]),
    });
    const run = loadScript(connection, 'sandbox');
    const steps = [limits.maxBytes, maxLogBytes].map((bytes) => String(stepBytes(limits, bytes)));
    this.#operations = new Batches(async (name, operations) => {
      const { idleMs, lifeMs } = this.#lifeOf(name);
      const first = [String(clock()), String(idleMs), String(lifeMs), ...steps];
      first.push(options.channel, name, String(operations.length));
      const reply = await run(this.headOf(name), packWords([first, ...operations]));
      return this.#take(name, reply as [string[], string[], string[], ...string[][]]);
    }, weighArguments);
  }

  /** Returns the prefix of all keys of a sandbox; the braces keep them on one node of a cluster. */
  headOf(name: string): string {
    return `${this.#options.prefix}{s:${name}}`;
  }

  send(name: string, args: readonly Argument[], isBinary = false): Promise<unknown> {
    return this.#options.connection.send(this.headOf(name), args, isBinary);
  }

  /** Asks a question once for all simultaneous callers; `name` identifies it. */
  askOnce<Result>(name: string, question: () => Promise<Result>): Promise<Result> {
    return this.#questions.add(name, question) as Promise<Result>;
  }

  ask(name: string, words: readonly Argument[]): Promise<string[]> {
    return this.#operations.add(name, words);
  }

  /**
   * Performs an operation, with more room if necessary; `caller` returns the holder of a new
   * sandbox.
   */
  async askWithRoom(
    name: string,
    operation: string,
    words: readonly Argument[],
    caller = () => name,
  ): Promise<string[]> {
    let [room, logRoom] = ['0', '0'];
    let isGiven = false;
    for (let growth = 0; growth <= maxGrowths; growth++) {
      const given = [operation, room, logRoom, isGiven ? '1' : '0'];
      const response = await this.ask(name, [...given, ...words]);
      const [outcome, isTaken, wanted = '0'] = response;
      if (isTaken === '0' && (room !== '0' || logRoom !== '0')) {
        await this.registry.release(name, room, logRoom);
      }
      [room, logRoom] = ['0', '0'];
      if (outcome === 'room') room = await this.registry.grow(name, wanted, caller());
      else if (outcome === 'logRoom') {
        logRoom = await this.registry.growLogs(name, wanted);
        // Only then may older entries make room. Room that was given in full, and that simultaneous
        // operations used first, is requested again.
        isGiven = Number(logRoom) < Number(wanted);
      } else return response;
    }
    throw new StateUnavailableError({
      cause: new Error(`Other processes used the room of ${name}.`),
    });
  }

  /** Asks the server for the state of a sandbox, on which later reads of the request rely. */
  async check(name: string, moment?: Moment): Promise<Seen> {
    const seen = await this.askOnce(`check ${name}`, () => this.#check(name));
    if (moment !== undefined) {
      const all = this.#seen.get(moment) ?? new Map<string, Seen>();
      this.#seen.set(moment, all.set(name, seen));
    }
    return seen;
  }

  /**
   * Returns what the request has seen of a sandbox, or else asks. It also asks if other requests have learned more about
   * the space: a request that sees a change must see all that came before it.
   */
  look(name: string, moment: Moment | undefined, space?: Space<unknown>): Awaitable<Seen> {
    if (moment === undefined || moment.isOver) return this.check(name);
    const seen = this.#seen.get(moment)?.get(name);
    const sinceMs = Math.max(moment.sinceMs, performance.now() - maxSeenMs);
    const isRecent = seen !== undefined && seen.askedAtMs >= sinceMs;
    if (!isRecent || (space !== undefined && this.#isBehind(name, space, seen))) {
      return this.check(name, moment);
    }
    return seen;
  }

  #isBehind(name: string, space: Space<unknown>, { versions, askedAt }: Seen): boolean {
    const version = Number(versions.get(versionField(space)) ?? 0);
    return this.known.isNewer(idOf(name, space), version, askedAt);
  }

  /** Makes a request ask again, after a transaction in which it may have learned more. */
  forgetSeenBy(moment: Moment | undefined, name: string): void {
    if (moment !== undefined) this.#seen.get(moment)?.delete(name);
  }

  /** Makes all requests ask again, after a change that {@link known} does not have. */
  forgetSeen(): void {
    this.#seen = new WeakMap();
  }

  /** Returns the view of a space; `undefined` if nothing was ever written to it. */
  view(name: string, space: Space<unknown>, { versions, askedAt }: Seen): View | undefined {
    const version = Number(versions.get(versionField(space)) ?? 0);
    const view = this.known.note(idOf(name, space), version, askedAt);
    return view.version === 0 ? undefined : view;
  }

  knownOffset(name: string): string {
    return this.#offsets.find(name) ?? '0';
  }

  row(name: string, space: Space<unknown>, key: string, view: View): Awaitable<Row> {
    return this.known.find(idOf(name, space), key, view) ?? this.#fetchRow(name, space, key, view);
  }

  async #fetchRow(name: string, space: Space<unknown>, key: string, view: View): Promise<Row> {
    const { version } = view;
    const stored = await this.send(name, ['HGET', this.#rowsKey(name, space), key]);
    return this.known.keep(idOf(name, space), key, (stored ?? '') as string, view, version);
  }

  async rows(name: string, space: Space<unknown>, view: View): Promise<ReadonlyMap<string, Row>> {
    if (view.rows !== undefined) return view.rows;
    const { version } = view;
    const flat = (await this.send(name, ['HGETALL', this.#rowsKey(name, space)])) as string[];
    return this.known.keepAll(idOf(name, space), flat, view, version);
  }

  /** Returns the sandbox that last had the key, if this process knows it. */
  knownHolder(space: Space<unknown>, key: string): string | undefined {
    return this.#holders.find(this.#holderKey(`${space.name}|${key}`));
  }

  async findHolder(space: Space<unknown>, key: string): Promise<string | null> {
    const holderKey = this.#holderKey(`${space.name}|${key}`);
    const found = await this.#options.connection.send(holderKey, ['GET', holderKey]);
    if (found !== null) this.#holders.keep(holderKey, found as string);
    return found as string | null;
  }

  async setHolder(name: string, findable: string): Promise<void> {
    const key = this.#holderKey(findable);
    const { lifeMs } = this.#lifeOf(name);
    await this.#options.connection.send(key, ['SET', key, name, 'PX', String(lifeMs)]);
  }

  #holderKey(findable: string): string {
    return `${this.#options.prefix}holder:${findable}`;
  }

  #rowsKey(name: string, { name: spaceName }: Space<unknown>): string {
    return `${this.headOf(name)}rows:${spaceName}`;
  }

  #lifeOf(name: string): { readonly idleMs: number; readonly lifeMs: number } {
    if (permanentSandboxes.includes(name)) return { idleMs: 0, lifeMs: keptMs };
    const idleMs = idleMsOf(this.#options.limits, name);
    return { idleMs, lifeMs: Math.ceil(idleMs * 1.25) };
  }

  async #check(name: string): Promise<Seen> {
    const asked = { askedAtMs: performance.now(), askedAt: this.known.tick };
    const flat = (await this.send(name, ['HGETALL', this.headOf(name)])) as string[];
    const fields = new Map<string, string>();
    for (let place = 0; place < flat.length; place += 2) {
      fields.set(flat[place] ?? '', flat[place + 1] ?? '');
    }
    const created = fields.get('createdAtMs');
    const { idleMs } = this.#lifeOf(name);
    const isIdle = idleMs > 0 && this.clock() - Number(fields.get('usedAtMs')) >= idleMs;
    if (created === undefined || isIdle) {
      this.#offsets.keep(name, '0');
      return { ...asked, createdAtMs: undefined, offsetMs: '0', versions: new Map() };
    }
    await this.#noteUse(name, Number(fields.get('notedAtMs')));
    const offsetMs = fields.get('offsetMs') ?? '0';
    this.#offsets.keep(name, offsetMs);
    return { ...asked, createdAtMs: Number(created), offsetMs, versions: fields };
  }

  /** Records the use of a sandbox, so that no process drops it. */
  async #noteUse(name: string, notedAtMs: number): Promise<void> {
    const { idleMs, lifeMs } = this.#lifeOf(name);
    if (this.clock() - notedAtMs < (idleMs || lifeMs) / usesNoted) return;
    for (const isSure of [false, true]) {
      const [outcome, room = '0', logRoom = '0', ...findables] = await this.ask(name, ['use']);
      if (outcome !== 'written') return;
      if (!(await this.registry.use(name, room, logRoom, isSure))) continue;
      await Promise.all(findables.map((findable) => this.setHolder(name, findable)));
      return;
    }
  }

  /** The next use of the sandbox records it again. */
  readonly #noteFailure = (error: unknown): void => {
    if (error instanceof StateUnavailableError) return;
    this.#options.log.error({ err: error }, 'the state could not be maintained');
  };

  /** Passes a batch's changes to the registry and the index of findable keys, without waiting. */
  #take(
    name: string,
    [state, counts, gone, ...responses]: readonly [string[], string[], string[], ...string[][]],
  ): string[][] {
    const [released = '0', logReleased = '0', entries = '0'] = counts;
    const [offsetMs = '0', notedAtMs] = state;
    this.#offsets.keep(name, offsetMs);
    if (notedAtMs !== undefined) {
      this.#noteUse(name, Number(notedAtMs)).catch(this.#noteFailure);
    }
    if (released !== '0' || logReleased !== '0') {
      this.registry.release(name, released, logReleased).catch(this.#noteFailure);
    }
    if (entries !== '0') this.registry.count(name, Number(entries));
    for (const findable of gone) {
      const key = this.#holderKey(findable);
      this.#options.connection.send(key, ['UNLINK', key]).catch(this.#noteFailure);
    }
    return responses;
  }
}

/** Marks a word that is a separate argument, instead of its length. */
const ownArgument = 0xffffffff;

/**
 * Packs texts into one argument, each after its length, because the client is slow with many
 * arguments; buffers follow.
 */
function packWords(words: readonly (readonly Argument[])[]): Argument[] {
  const flat = words.flat();
  const lengths = flat.map((word) => (typeof word === 'string' ? Buffer.byteLength(word) : 0));
  const packed = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length + 4, 0));
  const others: Buffer[] = [];
  let at = 0;
  for (const [place, word] of flat.entries()) {
    const isText = typeof word === 'string';
    at = packed.writeUInt32BE(isText ? (lengths[place] ?? 0) : ownArgument, at);
    if (isText) at += packed.write(word, at);
    else others.push(word);
  }
  return [packed, ...others];
}

/** Returns the letters that describe the properties of a space to sandbox.lua. */
export function flagsOf(space: Space<unknown>): string {
  return [space.isFindable && 'f', space.isKeptWhenFull && 'k', 'maxEntries' in space && 'l']
    .filter(Boolean)
    .join('');
}

/** Returns the field of the head that has the version of a space. */
const versionField = (space: Space<unknown>) => `v:${flagsOf(space)}:${space.name}`;

/** Names of sandboxes and spaces have no `|`. */
export function idOf(name: string, space: Space<unknown>): string {
  return `${name}|${space.name}`;
}
