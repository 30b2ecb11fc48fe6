/** The registry of all sandboxes and their room; registry.lua describes its operations. */

import { hash } from 'node:crypto';
import {
  groupOf,
  idleMsOf,
  maxBytesOf,
  maxSandboxesOf,
  ownerFull,
  permanentSandboxes,
  type SandboxLimits,
  StateFullError,
  type StateSizes,
  sandboxFull,
  stepBytes,
} from '../state.js';
import type { Script } from './scripts.js';

interface RegistryOptions {
  readonly run: Script;
  readonly prefix: string;
  readonly clock: () => number;
  readonly limits: SandboxLimits;
  readonly maxLogBytes: number;
  /** Time for which permanent sandboxes are kept without use. */
  readonly keptMs: number;
  /** Drops a sandbox that the registry has forgotten. */
  readonly drop: (name: string) => Promise<unknown>;
  readonly shrinkLogs: (name: string, bytes: string) => Promise<unknown>;
}

/** Delay of the number of entries, which only metrics use. */
const countsToldMs = 1000;

export class Registry {
  readonly #options: RegistryOptions;
  readonly #key: string;
  readonly #step: string;
  readonly #logStep: string;
  readonly #counts = new Map<string, number>();
  #counting: NodeJS.Timeout | undefined;

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#key = `${options.prefix}{registry}`;
    this.#step = String(stepBytes(options.limits, options.limits.maxBytes));
    this.#logStep = String(stepBytes(options.limits, options.maxLogBytes));
  }

  /**
   * Returns room for more bytes, or throws as the state does. A new sandbox belongs to the holder.
   */
  async grow(name: string, bytes: string, holder: string): Promise<string> {
    const words = [bytes, this.#step, hiddenName(holder)];
    const [outcome, given, dropped] = await this.#run('grow', name, ...words);
    await this.#dropAll(dropped);
    if (outcome === 'sandboxFull') throw sandboxFull(this.#options.limits, name);
    if (outcome === 'ownerFull') throw ownerFull(this.#options.limits);
    if (outcome === 'stateFull') throw new StateFullError();
    return given;
  }

  /** Returns room for more or fewer bytes of logs. */
  async growLogs(name: string, bytes: string): Promise<string> {
    const [, given, shrunk] = await this.#run('growLogs', name, bytes, this.#logStep);
    const parts = shrunk.flatMap((victim, place) =>
      place % 2 === 0 ? [this.#options.shrinkLogs(victim, shrunk[place + 1] ?? '0')] : [],
    );
    await Promise.all(parts);
    return given;
  }

  async release(name: string, bytes: string, logBytes: string): Promise<void> {
    await this.#run('release', name, bytes, logBytes);
  }

  count(name: string, entries: number): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + entries);
    this.#counting ??= setTimeout(() => this.reportCounts().catch(() => {}), countsToldMs).unref();
  }

  async reportCounts(): Promise<void> {
    clearTimeout(this.#counting);
    this.#counting = undefined;
    const counts = [...this.#counts];
    this.#counts.clear();
    await Promise.all(counts.map(([name, entries]) => this.#run('count', name, String(entries))));
  }

  /** Records a use, and returns whether the registry knows the sandbox, which `isSure` asserts. */
  async use(name: string, bytes: string, logBytes: string, isSure: boolean): Promise<boolean> {
    const words = [bytes, logBytes, isSure ? '1' : '0'];
    const [outcome, , dropped] = await this.#run('use', name, ...words);
    await this.#dropAll(dropped);
    return outcome !== 'unknown';
  }

  async forget(name: string): Promise<void> {
    const [, , dropped] = await this.#run('forget', name);
    await this.#dropAll(dropped);
  }

  async forgetOwned(owner: string): Promise<void> {
    const [, , dropped] = await this.#run('forgetOwned', '', `@${owner}`);
    await this.#dropAll(dropped);
  }

  async sizes(): Promise<StateSizes> {
    await this.reportCounts();
    const [sandboxes, valueBytes, logEntries, logBytes, dropped] = (await this.#run(
      'sizes',
      '',
    )) as unknown as [string, string, string, string, string[]];
    await this.#dropAll(dropped);
    return {
      sandboxes: Number(sandboxes),
      valueBytes: Number(valueBytes),
      logEntries: Number(logEntries),
      logBytes: Number(logBytes),
    };
  }

  async #run(operation: string, name: string, ...words: readonly string[]) {
    const { run, clock, limits, maxLogBytes, keptMs } = this.#options;
    const all = [
      operation,
      clock(),
      name,
      permanentSandboxes.includes(name) ? 1 : 0,
      limits.maxSandboxes,
      limits.idleMs,
      limits.maxBytes,
      maxSandboxesOf(limits, groupOf(name, name)),
      limits.maxBytesPerOwner,
      maxLogBytes,
      keptMs,
      idleMsOf(limits, name),
      maxBytesOf(limits, name),
      ...words,
    ].map(String);
    return (await run(this.#key, all)) as [outcome: string, given: string, others: string[]];
  }

  async #dropAll(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => this.#options.drop(name)));
  }
}

/** Returns the stored name of a holder. Callers, which are often addresses, are hashed. */
function hiddenName(holder: string): string {
  return holder.startsWith('#') ? `#${hash('sha256', holder, 'base64url').slice(0, 22)}` : holder;
}
