/** Sandboxes in memory, and the choice of sandboxes to drop. */

import type { Clock } from '../../base/awaitable.js';
import { textBytes } from '../rows/heap-bytes.js';
import {
  holderOf,
  idleMsOf,
  maxSandboxesOf,
  ownedSandboxName,
  ownerOf,
  permanentSandboxes,
  type Sandbox,
  type SandboxLimits,
  StateFullError,
  sandboxFull,
  sharedSandboxName,
} from '../state.js';
import { type Holding, Holdings, type Share } from './holdings.js';
import { Contents } from './memory-entries.js';

const sweepEveryMs = 60_000;

/** Size of a sandbox without its spaces, with its holder. */
const sandboxOverheadBytes = 1000;

/**
 * Contents by sandbox name, in the order of last use by the real clock. The largest holder makes
 * room first. If the total is too large, that holder has more than `maxBytes / maxSandboxes`,
 * because there are no more holders than sandboxes.
 */
export class MemorySandboxes {
  readonly #clock: Clock;
  readonly #limits: SandboxLimits;
  readonly #onDrop: (contents: Contents) => void;
  readonly #byName = new Map<string, Contents>();
  readonly #permanent = new Map<string, Contents>();
  readonly #bytes = new Holdings<Share>();
  readonly #counts = new Holdings<Share>();
  #sweepAtMs: number;
  /** The last name in order, because most requests use the same sandbox as the previous one. */
  #latestName: string | undefined;

  constructor(clock: Clock, limits: SandboxLimits, onDrop: (contents: Contents) => void) {
    this.#clock = clock;
    this.#limits = limits;
    this.#onDrop = onDrop;
    this.#sweepAtMs = clock() + sweepEveryMs;
  }

  sizes(): { readonly sandboxes: number; readonly valueBytes: number } {
    this.#sweep(this.#clock());
    let valueBytes = this.#bytes.total;
    for (const { bytes } of this.#permanent.values()) valueBytes += bytes.amount;
    return { sandboxes: this.#byName.size + this.#permanent.size, valueBytes };
  }

  /** Counts as a use. */
  find(name: string): Contents | undefined {
    const nowMs = this.#clock();
    if (nowMs >= this.#sweepAtMs) this.#sweep(nowMs);
    const isPermanent = permanentSandboxes.includes(name);
    const contents = (isPermanent ? this.#permanent : this.#byName).get(name);
    if (contents === undefined) return undefined;
    if (!isPermanent && this.#isIdle(contents, nowMs)) {
      this.drop(name);
      return undefined;
    }
    contents.lastUsedAtMs = nowMs;
    if (!isPermanent && name !== this.#latestName) {
      this.#byName.delete(name);
      this.#byName.set(name, contents);
      this.#latestName = name;
    }
    return contents;
  }

  /**
   * Returns the contents of a sandbox, found or new, once they may grow by this many bytes; drops
   * others for that. Throws a `CapacityError` at the limit of one sandbox, and a {@link
   * StateFullError} if no holder has more.
   */
  roomFor(
    sandbox: Pick<Sandbox, 'name' | 'caller'>,
    bytes: number,
    found = this.find(sandbox.name),
  ): Contents {
    const { name } = sandbox;
    if (permanentSandboxes.includes(name)) {
      const held = found?.bytes.amount ?? 0;
      // The service's own sandbox is exempt, because its entries are limited in number, and no
      // caller decides their size.
      if (name === sharedSandboxName && held + bytes > this.#limits.maxBytesPerOwner) {
        throw sandboxFull(this.#limits);
      }
      return found ?? this.#create(name, name);
    }
    if (found !== undefined) {
      if (bytes > 0) this.#makeRoom(name, found.holder, 0, bytes);
      return found;
    }
    const holder = sandbox.caller();
    this.#makeRoom(name, holder, 1, bytes + sandboxOverheadBytes + textBytes(name));
    return this.#create(name, holder);
  }

  addBytes({ name, bytes }: Contents, by: number): void {
    if (this.#permanent.has(name)) bytes.amount += by;
    else this.#bytes.change(bytes, by);
  }

  drop(name: string): void {
    const contents = this.#permanent.get(name) ?? this.#byName.get(name);
    if (contents === undefined) return;
    if (!this.#permanent.delete(name)) {
      this.#byName.delete(name);
      this.#bytes.remove(contents.bytes);
      this.#counts.remove(contents.count);
    }
    this.#onDrop(contents);
  }

  dropOwned(owner: string): void {
    const holder = holderOf(ownedSandboxName(owner, ''));
    for (const { name } of this.#sandboxesOf(holder)) this.drop(name);
  }

  dropAll(): void {
    for (const name of [...this.#permanent.keys(), ...this.#byName.keys()]) this.drop(name);
  }

  #create(name: string, holder: string): Contents {
    const contents = new Contents(name, holder, this.#clock());
    if (permanentSandboxes.includes(name)) {
      this.#permanent.set(name, contents);
    } else {
      this.#byName.set(name, contents);
      this.#latestName = name;
      this.#bytes.add(contents.bytes);
      this.#counts.add(contents.count, 1);
    }
    this.addBytes(contents, sandboxOverheadBytes + textBytes(name));
    return contents;
  }

  /** Makes room for a new or growing sandbox; its holder loses sandboxes first. */
  #makeRoom(name: string, holder: string, sandboxes: number, bytes: number): void {
    const { maxSandboxes, maxBytes, maxBytesPerOwner } = this.#limits;
    const maxOwned = maxSandboxesOf(this.#limits, holder);
    const areTooMany = () => this.#byName.size + sandboxes > maxSandboxes;
    const isTooMuch = () => this.#bytes.total + bytes > maxBytes;
    const count = () => (this.#counts.find(holder)?.amount ?? 0) + sandboxes;
    const held = () => (this.#bytes.find(holder)?.amount ?? 0) + bytes;
    const size = (this.#byName.get(name)?.bytes.amount ?? 0) + bytes;

    if (areTooMany() || isTooMuch()) this.#sweep(this.#clock());
    if (size > maxBytesPerOwner) throw sandboxFull(this.#limits);
    while (isAccount(holder) && (count() > maxOwned || held() > maxBytesPerOwner)) {
      if (!this.#dropOldestOf(holder, name)) throw sandboxFull(this.#limits);
    }
    while (areTooMany()) {
      const { most } = this.#counts;
      if (most !== undefined && most.amount > Math.max(1, count())) {
        this.#dropOldestOf(most.name, name);
      } else if (!this.#dropOldestOf(holder, name) && !this.#dropOldestUnowned()) {
        throw new StateFullError();
      }
    }
    while (isTooMuch()) {
      const { most } = this.#bytes;
      const isOthers = most !== undefined && most.name !== holder && most.amount > held();
      const isDropped = isOthers
        ? this.#dropForBytes(most, name, 0)
        : this.#dropForBytes(this.#bytes.find(holder), name, size);
      if (!isDropped) throw new StateFullError();
    }
  }

  /** Drops a sandbox of a holder for `inUse` of `size` bytes, and returns whether there was one. */
  #dropForBytes(holding: Holding<Share> | undefined, inUse: string, size: number): boolean {
    if (holding === undefined) return false;
    if (isAccount(holding.name)) return this.#dropOldestOf(holding.name, inUse);
    const largest = holding.shares.most;
    if (largest === undefined || largest.name === inUse || largest.amount <= size) return false;
    this.drop(largest.name);
    return true;
  }

  /** Drops a holder's least recently used sandbox, but never `inUse`, and returns whether there was one. */
  #dropOldestOf(holder: string, inUse: string): boolean {
    for (const { name } of this.#sandboxesOf(holder)) {
      if (name === inUse) continue;
      this.drop(name);
      return true;
    }
    return false;
  }

  *#sandboxesOf(holder: string): Generator<Contents> {
    for (const contents of this.#byName.values()) if (contents.holder === holder) yield contents;
  }

  /** Drops the least recently used sandbox, unless it is an account's only sandbox. */
  #dropOldestUnowned(): boolean {
    const [oldest] = this.#byName.keys();
    if (oldest === undefined || ownerOf(oldest) !== undefined) return false;
    this.drop(oldest);
    return true;
  }

  #sweep(nowMs: number): void {
    this.#sweepAtMs = nowMs + sweepEveryMs;
    for (const [name, contents] of this.#byName) {
      if (this.#isIdle(contents, nowMs)) this.drop(name);
      // Sandboxes are in order of last use, so a recently used one ends the search.
      else if (nowMs - contents.lastUsedAtMs < this.#limits.idleMs) return;
    }
  }

  #isIdle({ name, lastUsedAtMs }: Contents, nowMs: number): boolean {
    return nowMs - lastUsedAtMs >= idleMsOf(this.#limits, name);
  }
}

function isAccount(holder: string): boolean {
  return holder.startsWith('@');
}
