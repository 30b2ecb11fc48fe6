/** A state that is closed, and opened again from its file, before each operation. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach } from 'vitest';
import { type FileStateOptions, openFileState } from '../../src/state/file/file-state.js';
import type { Log, Sandbox, State } from '../../src/state/state.js';

export const silentLog = pino({ level: 'silent' });

export const openFile = (options: FileStateOptions): Promise<State> =>
  openFileState(options, new AbortController().signal);

export function useRestartingStates() {
  const folder = mkdtempSync(join(tmpdir(), 'practice-api-state-'));
  const opened: RestartingState[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((state) => state.close()));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  let files = 0;
  return async (options: Omit<FileStateOptions, 'path' | 'log'>): Promise<State> => {
    files++;
    const state = new RestartingState({
      ...options,
      path: join(folder, `${files}.practice`),
      log: silentLog,
    });
    opened.push(state);
    await state.start();
    return state;
  };
}

class RestartingState implements State {
  readonly #options: FileStateOptions;
  #state!: State;
  /** Operations run one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  /** A waiting caller would be woken by a close. */
  #waiting = 0;

  constructor(options: FileStateOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#state = await openFile(this.#options);
  }

  get limits() {
    return this.#state.limits;
  }

  #run<Result>(act: (state: State) => Result): Promise<Awaited<Result>> {
    const result = this.#last.then(async () => {
      if (this.#waiting === 0) {
        await this.#state.close();
        await this.start();
      }
      return act(this.#state);
    });
    this.#last = result.catch(() => {});
    return result as Promise<Awaited<Result>>;
  }

  sandbox(name: string, caller?: () => string): Sandbox {
    const run = <Result>(act: (sandbox: Sandbox) => Result) =>
      this.#run((state) => act(state.sandbox(name, caller)));
    return {
      name,
      caller: () => this.#state.sandbox(name, caller).caller(),
      now: () => run((sandbox) => sandbox.now()),
      read: (space, key) => run((sandbox) => sandbox.read(space, key)),
      entries: (space) => run((sandbox) => sandbox.entries(space)),
      update: (space, key, change) => run((sandbox) => sandbox.update(space, key, change)),
      transact: (change) => run((sandbox) => sandbox.transact(change)),
      status: () => run((sandbox) => sandbox.status()),
      setClockOffset: (offsetMs) => run((sandbox) => sandbox.setClockOffset(offsetMs)),
      reset: (kept) => run((sandbox) => sandbox.reset(kept)),
      log: (space, key) => this.#log((act) => run((sandbox) => act(sandbox.log(space, key)))),
    } as Sandbox;
  }

  #log<Item>(
    run: <Result>(act: (log: Log<Item>) => Result) => Promise<Awaited<Result>>,
  ): Log<Item> {
    return {
      append: (item, bytes) => run((log) => log.append(item, bytes)),
      status: () => run((log) => log.status()),
      newest: (limit) => run((log) => log.newest(limit)),
      after: (sequence, limit) => run((log) => log.after(sequence, limit)),
      before: (sequence, limit) => run((log) => log.before(sequence, limit)),
      clear: () => run((log) => log.clear()),
      remove: (sequence) => run((log) => log.remove(sequence)),
      waitPast: async (sequence, signal) => {
        let waiting: Promise<void> | undefined;
        await run((log) => {
          this.#waiting++;
          waiting = log.waitPast(sequence, signal);
        });
        await waiting;
        this.#waiting--;
      },
    };
  }

  resetOwned(owner: string): Promise<void> {
    return this.#run((state) => state.resetOwned(owner));
  }

  async sandboxHolding(
    ...[space, key]: Parameters<State['sandboxHolding']>
  ): Promise<Sandbox | undefined> {
    const found = await this.#run((state) => state.sandboxHolding(space, key));
    return found && this.sandbox(found.name);
  }

  sizes() {
    return this.#run((state) => state.sizes());
  }

  isReady() {
    return this.#run((state) => state.isReady());
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#state.close();
  }
}
