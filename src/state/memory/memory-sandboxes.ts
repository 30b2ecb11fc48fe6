/** Sandboxes in memory, and the choice of sandboxes to drop. */

import type { Clock } from '#base/awaitable.js';
import { textBytes } from '../rows/heap-bytes.js';
import {
  groupOf,
  holderOf,
  idleMsOf,
  isBoard,
  maxBytesOf,
  maxSandboxesOf,
  ownedSandboxName,
  ownerFull,
  ownerOf,
  permanentSandboxes,
  type Sandbox,
  type SandboxLimits,
  StateFullError,
  sandboxFull,
  sharedSandboxName,
} from '../state.js';
import { type Holding, Holdings, largestGroup, nextGroup, type Share } from './holdings.js';
import type { SandboxHead } from './memory-changes.js';
import { Contents, type Entries, spaceBytes } from './memory-entries.js';

const sweepEveryMs = 60_000;

/** Size of a sandbox without its spaces, with its holder. */
const sandboxOverheadBytes = 1100;

export interface SandboxObserver {
  readonly beforeChange: (contents: Contents) => void;
  /** Called for each space that is dropped. */
  readonly onDrop: (spaceName: string, entries: Entries) => void;
  /** Called at most once a minute while sandboxes are used. */
  readonly onUse: () => void;
}

/**
 * Contents by sandbox name, in the order of last use by the real clock. The largest holder makes
 * room first. If the total is too large, that holder has more than `maxBytes / maxSandboxes`,
 * because there are no more holders than sandboxes.
 */
export class MemorySandboxes {
  readonly #clock: Clock;
  readonly #limits: SandboxLimits;
  readonly #observer: SandboxObserver;
  readonly #byName = new Map<string, Contents>();
  readonly #permanent = new Map<string, Contents>();
  readonly #bytes = new Holdings<Share>();
  readonly #counts = new Holdings<Share>();
  #sweepAtMs: number;
  /** The last name in order, because most requests use the same sandbox as the previous one. */
  #latestName: string | undefined;

  constructor(clock: Clock, limits: SandboxLimits, observer: SandboxObserver) {
    this.#clock = clock;
    this.#limits = limits;
    this.#observer = observer;
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
    if (nowMs >= this.#sweepAtMs) {
      this.#sweep(nowMs);
      this.#observer.onUse();
    }
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
        throw sandboxFull(this.#limits, name);
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
    this.#observer.beforeChange(contents);
    if (!this.#permanent.delete(name)) {
      this.#byName.delete(name);
      this.#bytes.remove(contents.bytes);
      this.#counts.remove(contents.count);
    }
    for (const [spaceName, entries] of contents.spaces) this.#observer.onDrop(spaceName, entries);
  }

  /** Drops everything of a sandbox, except these spaces. */
  reset(name: string, kept: ReadonlySet<string>): void {
    const contents = this.find(name);
    if (contents === undefined) return;
    if (![...kept].some((each) => (contents.spaces.get(each)?.size ?? 0) > 0)) {
      this.drop(name);
      return;
    }
    this.#observer.beforeChange(contents);
    for (const [spaceName, entries] of contents.spaces) {
      if (kept.has(spaceName)) continue;
      let bytes = spaceBytes;
      for (const entry of entries.values()) bytes += entry.bytes;
      contents.spaces.delete(spaceName);
      this.addBytes(contents, -bytes);
      this.#observer.onDrop(spaceName, entries);
    }
    contents.createdAtMs = this.#clock();
    contents.clockOffsetMs = 0;
  }

  /** Drops all sandboxes of an account or a class. */
  dropOwned(owner: string): void {
    const group = holderOf(ownedSandboxName(owner, ''));
    for (const { name } of this.#sandboxesOf(group)) this.drop(name);
  }

  /** Returns all contents, the least recently used first. */
  all(): readonly Contents[] {
    return [...this.#permanent.values(), ...this.#byName.values()];
  }

  /** Adds a sandbox, used later than those before it. {@link fit} then applies the limits. */
  restore({ name, holder, createdAtMs, lastUsedAtMs, clockOffsetMs }: SandboxHead): Contents {
    const contents = this.#create(name, holder);
    return Object.assign(contents, { createdAtMs, lastUsedAtMs, clockOffsetMs });
  }

  /** Drops sandboxes until none of the limits is exceeded, except by sandboxes that are too large for themselves. */
  fit(): void {
    this.#sweep(this.#clock());
    for (const { name, holder } of [...this.#byName.values()].reverse()) {
      if (this.#byName.has(name)) this.#attempt(() => this.#makeOwnRoom(name, holder, 0, 0));
    }
    while (!this.#attempt(() => this.#makeCommonRoom('', '', 0, 0))) {
      // Accounts keep their only sandboxes while the service runs, but a lower limit applies to them.
      const [oldest] = this.#byName.keys();
      if (oldest === undefined) return;
      this.drop(oldest);
    }
  }

  #attempt(makeRoom: () => void): boolean {
    try {
      makeRoom();
      return true;
    } catch {
      return false;
    }
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
    const { maxSandboxes, maxBytes } = this.#limits;
    const size = (this.#byName.get(name)?.bytes.amount ?? 0) + bytes;
    const isFull = this.#byName.size + sandboxes > maxSandboxes;
    if (isFull || this.#bytes.total + bytes > maxBytes) this.#sweep(this.#clock());
    if (size > maxBytesOf(this.#limits, name)) throw sandboxFull(this.#limits, name);
    this.#makeOwnRoom(name, holder, sandboxes, bytes);
    this.#makeCommonRoom(name, holder, sandboxes, bytes);
  }

  #makeCommonRoom(name: string, holder: string, sandboxes: number, bytes: number): void {
    const { maxSandboxes, maxBytes } = this.#limits;
    const size = (this.#byName.get(name)?.bytes.amount ?? 0) + bytes;
    const areTooMany = () => this.#byName.size + sandboxes > maxSandboxes;
    const isTooMuch = () => this.#bytes.total + bytes > maxBytes;
    while (areTooMany()) {
      const { most } = this.#counts;
      const own = this.#counts.find(holder);
      if (most !== undefined && most.amount > Math.max(1, (own?.amount ?? 0) + sandboxes)) {
        this.#dropOldestOf(most, name);
      } else if (!this.#dropOldestOf(own, name) && !this.#dropOldestUnowned()) {
        throw new StateFullError();
      }
    }
    while (isTooMuch()) {
      const { most } = this.#bytes;
      const own = this.#bytes.find(holder);
      const isOthers =
        most !== undefined && most !== own && most.amount > (own?.amount ?? 0) + bytes;
      const isDropped = isOthers
        ? this.#dropForBytes(most, name, 0)
        : this.#dropForBytes(own, name, size);
      if (!isDropped) throw new StateFullError();
    }
  }

  /** Keeps an account, and each class, within its own limits. */
  #makeOwnRoom(name: string, holder: string, sandboxes: number, bytes: number): void {
    const group = groupOf(name, holder);
    const count = () => this.#counts.amountOf(holder, group);
    const held = () => this.#bytes.find(holder)?.amount ?? 0;
    const size = (this.#byName.get(name)?.bytes.amount ?? 0) + bytes;
    while (isAccount(group) && count() + sandboxes > maxSandboxesOf(this.#limits, group)) {
      if (!this.#dropOldestIn(group, name)) throw ownerFull(this.#limits);
    }
    while (isAccount(holder) && held() + bytes > this.#limits.maxBytesPerOwner) {
      if (!this.#dropForBytes(this.#bytes.find(holder), name, size)) throw ownerFull(this.#limits);
    }
  }

  /** Drops a sandbox of a holder for `inUse` of `size` bytes, and returns whether there was one. */
  #dropForBytes(holding: Holding<Share> | undefined, inUse: string, size: number): boolean {
    const group = holding && nextGroup(holding);
    if (holding === undefined || group === undefined) return false;
    const isOwn = group.name === holding.name;
    if (isOwn && isAccount(holding.name)) return this.#dropOldestIn(group.name, inUse);
    const largest = group.shares.most;
    if (largest === undefined || largest.name === inUse || largest.amount <= size) return false;
    this.drop(largest.name);
    return true;
  }

  /** Drops the least recently used sandbox of a holder's largest group, but never `inUse`, and returns whether there was one. */
  #dropOldestOf(holding: Holding<Share> | undefined, inUse: string): boolean {
    const largest = holding && largestGroup(holding);
    if (largest !== undefined) return this.#dropOldestIn(largest.name, inUse);
    const board = holding?.last?.shares.most;
    if (board === undefined || board.name === inUse) return false;
    this.drop(board.name);
    return true;
  }

  #dropOldestIn(group: string, inUse: string): boolean {
    for (const { name } of this.#sandboxesOf(group)) {
      if (name === inUse || isBoard(name)) continue;
      this.drop(name);
      return true;
    }
    return false;
  }

  /** Yields the sandboxes of a group, the least recently used first. */
  *#sandboxesOf(group: string): Generator<Contents> {
    for (const contents of this.#byName.values()) if (contents.group === group) yield contents;
  }

  /** Drops the least recently used sandbox without an owner: an account keeps its only one, a class its board. */
  #dropOldestUnowned(): boolean {
    for (const name of this.#byName.keys()) {
      if (ownerOf(name) !== undefined) continue;
      this.drop(name);
      return true;
    }
    return false;
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
