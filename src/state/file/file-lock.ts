/**
 * A file that says which process uses another file. Unlike a lock of the operating system, it outlives a killed process, so
 * the next one examines it: a process of the same machine by its id and start time. Whether another container or machine
 * still runs only its heartbeat shows.
 */

import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { link, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { StateFileError } from './state-format.js';

const heartbeatMs = 1000;
/** A process without a heartbeat for so long has ended. */
const patienceMs = 6000;
const lookAgainMs = 250;

interface Owner {
  readonly pid: number;
  /** When the process started, in the unit of its system; `null` if it is unknown. */
  readonly started: string | null;
  /** The machine or the container in which the id is valid. */
  readonly place: string;
  readonly token: string;
}

interface Seen {
  readonly text: string;
  readonly changedMs: number;
}

export class FileLock {
  readonly #path: string;
  readonly #text: string;
  readonly #heartbeat: NodeJS.Timeout;

  private constructor(path: string, text: string) {
    this.#path = path;
    this.#text = text;
    this.#heartbeat = setInterval(() => {
      const now = new Date();
      utimes(path, now, now).catch(() => {});
    }, heartbeatMs).unref();
  }

  /** Throws a {@link StateFileError} if a running process has it. */
  static async take(path: string, signal: AbortSignal): Promise<FileLock> {
    const { pid } = process;
    const token = randomBytes(8).toString('hex');
    const owner: Owner = { pid, started: startOf('self') ?? null, place: placeOfIds(), token };
    const text = JSON.stringify(owner);
    while (!(await create(path, text))) {
      const seen = await look(path);
      if (seen === undefined) continue;
      const other = ownerIn(seen);
      if (await isRunning(other, path, seen, signal)) {
        const who = other?.place === owner.place ? `process ${other.pid}` : 'another process';
        throw new StateFileError(`is in use by ${who}. One process can use it at a time.`);
      }
      await removeStale(path, seen);
    }
    return new FileLock(path, text);
  }

  /** Throws if another process has taken the lock, because this one seemed to have ended. */
  async check(): Promise<void> {
    const seen = await look(this.#path);
    if (seen?.text === this.#text || (!seen && (await create(this.#path, this.#text)))) return;
    throw new Error('another process uses the file now');
  }

  async release(): Promise<void> {
    clearInterval(this.#heartbeat);
    const seen = await look(this.#path);
    if (seen?.text === this.#text) await rm(this.#path, { force: true });
  }
}

async function create(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function look(path: string): Promise<Seen | undefined> {
  try {
    return { text: await readFile(path, 'utf8'), changedMs: (await stat(path)).mtimeMs };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns `undefined` for a file that is being written, or of someone else. */
function ownerIn({ text }: Seen): Owner | undefined {
  try {
    return JSON.parse(text) as Owner;
  } catch {
    return undefined;
  }
}

async function isRunning(
  owner: Owner | undefined,
  path: string,
  seen: Seen,
  signal: AbortSignal,
): Promise<boolean> {
  if (owner !== undefined && owner.place === placeOfIds()) {
    if (!isProcess(owner.pid)) return false;
    const started = startOf(owner.pid);
    if (started !== undefined && owner.started !== null) return started === owner.started;
  }
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += lookAgainMs) {
    await sleep(lookAgainMs, undefined, { signal });
    const now = await look(path);
    if (now === undefined) return false;
    if (now.changedMs !== seen.changedMs || now.text !== seen.text) return true;
  }
  return false;
}

function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Returns the machine; in Linux its last start, and the namespace of process ids, of which each container has its own. */
function placeOfIds(): string {
  try {
    const start = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${start} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** Returns the time since the start of a Linux machine; `undefined` if it is unknown. A killed process that waits for its parent has none. */
function startOf(pid: number | 'self'): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program, in parentheses, may have spaces.
    const [state, ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? 'ended' : fields[18];
  } catch {
    return undefined;
  }
}

/** Removes a lock, unless another process that saw it too was faster. */
async function removeStale(path: string, seen: Seen): Promise<void> {
  const moved = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    await rename(path, moved);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  // This is the new lock of a process that was faster.
  if ((await look(moved))?.text !== seen.text) await link(moved, path).catch(() => {});
  await rm(moved, { force: true });
}
