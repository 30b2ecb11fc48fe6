/** Which sandboxes this process holds, and which of them must go. */

import { type Clock, ownerOf, permanentSandboxes, type SandboxLimits } from './state.js';

/** What a sandbox holds; one that was never written to has none. */
export interface Contents<Entries> {
  readonly createdAtMs: number;
  lastUsedAtMs: number;
  clockOffsetMs: number;
  /** About what its values take, all together. */
  bytes: number;
  readonly spaces: Map<string, Entries>;
}

/** What the sandboxes of one owner come to. */
interface Holdings {
  count: number;
  bytes: number;
}

/** How often sandboxes that nobody uses are looked for, at most. */
const sweepEveryMs = 60_000;

/**
 * Contents by the name of their sandbox. Use is measured on the process's clock, whatever time it is
 * in a sandbox; the map's order is the order of last use.
 */
export class MemorySandboxes<Entries> {
  readonly #clock: Clock;
  readonly #limits: SandboxLimits;
  readonly #onDrop: (contents: Contents<Entries>) => void;
  readonly #byName = new Map<string, Contents<Entries>>();
  readonly #permanent = new Map<string, Contents<Entries>>();
  readonly #byOwner = new Map<string, Holdings>();
  /** Of all but the permanent sandboxes, which the bounds of their spaces bound. */
  #bytes = 0;
  #sweepAtMs: number;
  /** Last in order already; most requests come from where the one before came from. */
  #latestName: string | undefined;

  constructor(clock: Clock, limits: SandboxLimits, onDrop: (contents: Contents<Entries>) => void) {
    this.#clock = clock;
    this.#limits = limits;
    this.#onDrop = onDrop;
    this.#sweepAtMs = clock() + sweepEveryMs;
  }

  sizes(): { readonly sandboxes: number; readonly valueBytes: number } {
    this.#sweep(this.#clock());
    let valueBytes = this.#bytes;
    for (const { bytes } of this.#permanent.values()) valueBytes += bytes;
    return { sandboxes: this.#byName.size + this.#permanent.size, valueBytes };
  }

  /** Counts as a use. */
  find(name: string): Contents<Entries> | undefined {
    const nowMs = this.#clock();
    if (permanentSandboxes.includes(name)) {
      const permanent = this.#permanent.get(name);
      if (permanent !== undefined) permanent.lastUsedAtMs = nowMs;
      return permanent;
    }
    if (nowMs >= this.#sweepAtMs) this.#sweep(nowMs);
    const contents = this.#byName.get(name);
    if (contents === undefined) return undefined;
    if (this.#isIdle(contents, nowMs)) {
      this.drop(name);
      return undefined;
    }
    contents.lastUsedAtMs = nowMs;
    if (name !== this.#latestName) {
      this.#byName.delete(name);
      this.#byName.set(name, contents);
      this.#latestName = name;
    }
    return contents;
  }

  findOrCreate(name: string): Contents<Entries> {
    return this.find(name) ?? this.#create(name);
  }

  /** Takes note that the values of a sandbox take more or less than before, and makes room. */
  addBytes(name: string, contents: Contents<Entries>, bytes: number): void {
    contents.bytes += bytes;
    if (permanentSandboxes.includes(name)) return;
    this.#bytes += bytes;
    const owner = ownerOf(name);
    if (owner !== undefined) this.#addHoldings(owner, 0, bytes);
    if (owner !== undefined || this.#bytes > this.#limits.maxBytes) this.#makeRoom(name, owner);
  }

  drop(name: string): void {
    const permanent = this.#permanent.get(name);
    const contents = permanent ?? this.#byName.get(name);
    if (contents === undefined) return;
    if (permanent === undefined) {
      this.#byName.delete(name);
      this.#bytes -= contents.bytes;
      const owner = ownerOf(name);
      if (owner !== undefined) this.#addHoldings(owner, -1, -contents.bytes);
    } else {
      this.#permanent.delete(name);
    }
    this.#onDrop(contents);
  }

  dropOwned(owner: string): void {
    for (const name of this.#byName.keys()) {
      if (!this.#byOwner.has(owner)) return;
      if (ownerOf(name) === owner) this.drop(name);
    }
  }

  dropAll(): void {
    for (const name of [...this.#permanent.keys(), ...this.#byName.keys()]) this.drop(name);
  }

  #create(name: string): Contents<Entries> {
    const nowMs = this.#clock();
    const contents: Contents<Entries> = {
      createdAtMs: nowMs,
      lastUsedAtMs: nowMs,
      clockOffsetMs: 0,
      bytes: 0,
      spaces: new Map(),
    };
    if (permanentSandboxes.includes(name)) {
      this.#permanent.set(name, contents);
    } else {
      this.#byName.set(name, contents);
      this.#latestName = name;
      const owner = ownerOf(name);
      if (owner !== undefined) this.#addHoldings(owner, 1, 0);
      this.#makeRoom(name, owner);
    }
    return contents;
  }

  /** Drops those unused for longest, but never `inUse`: an owner's own before those of others. */
  #makeRoom(inUse: string, owner: string | undefined): void {
    const { maxSandboxes, maxBytes, maxSandboxesPerOwner, maxBytesPerOwner } = this.#limits;
    const held = owner === undefined ? undefined : this.#byOwner.get(owner);
    if (held !== undefined) {
      this.#dropOldest(
        () => held.count > maxSandboxesPerOwner || held.bytes > maxBytesPerOwner,
        (name) => name !== inUse && ownerOf(name) === owner,
      );
    }
    this.#dropOldest(
      () => this.#byName.size > maxSandboxes || this.#bytes > maxBytes,
      (name) => name !== inUse,
    );
  }

  #dropOldest(isTooMuch: () => boolean, mayGo: (name: string) => boolean): void {
    if (!isTooMuch()) return;
    for (const name of this.#byName.keys()) {
      if (mayGo(name)) this.drop(name);
      if (!isTooMuch()) return;
    }
  }

  #addHoldings(owner: string, count: number, bytes: number): void {
    const held = this.#byOwner.get(owner) ?? { count: 0, bytes: 0 };
    held.count += count;
    held.bytes += bytes;
    if (held.count === 0) this.#byOwner.delete(owner);
    else this.#byOwner.set(owner, held);
  }

  #sweep(nowMs: number): void {
    this.#sweepAtMs = nowMs + sweepEveryMs;
    for (const [name, contents] of this.#byName) {
      // In order of last use: whoever comes after the first that is in use is in use as well.
      if (!this.#isIdle(contents, nowMs)) return;
      this.drop(name);
    }
  }

  #isIdle(contents: Contents<Entries>, nowMs: number): boolean {
    return nowMs - contents.lastUsedAtMs >= this.#limits.idleMs;
  }
}
