/** Which sandboxes this process holds, and which of them must go. */

import type { Clock } from '../../base/awaitable.js';
import { type Ranked, Ranking } from '../../base/ranking.js';
import { textBytes } from '../rows/heap-bytes.js';
import {
  holderOf,
  ownedSandboxName,
  ownerOf,
  permanentSandboxes,
  type Sandbox,
  type SandboxLimits,
  StateFullError,
  sandboxFull,
  sharedSandboxName,
} from '../state.js';

/** What a sandbox holds; one that was never written to has none. */
export interface Contents<Entries> {
  readonly name: string;
  readonly createdAtMs: number;
  lastUsedAtMs: number;
  clockOffsetMs: number;
  /** Bytes that it takes with all its values, among the bytes of its holder. */
  readonly bytes: Ranked & { readonly name: string };
  readonly spaces: Map<string, Entries>;
  /** None for a permanent sandbox. */
  readonly holder: Holder<Entries> | undefined;
}

/** A holder of sandboxes: an account, a caller without one, or a sandbox that was created for no caller. */
class Holder<Entries> {
  readonly name: string;
  /** In the order of last use. */
  readonly sandboxes = new Set<Contents<Entries>>();
  readonly bySize = new Ranking<Contents<Entries>['bytes']>();
  readonly bytes: Share<Entries> = { amount: 0, place: 0, of: this };
  readonly count: Share<Entries> = { amount: 0, place: 0, of: this };

  constructor(name: string) {
    this.name = name;
  }

  get isAccount(): boolean {
    return this.name.startsWith('@');
  }
}

interface Share<Entries> extends Ranked {
  readonly of: Holder<Entries>;
}

/** A sandbox that is to be created or to grow, and its holder. */
interface Wanted {
  readonly name: string;
  readonly holder: string;
}

/** How often sandboxes that nobody uses are looked for, at most. */
const sweepEveryMs = 60_000;

/** What a sandbox takes beside its spaces, with its holder. */
const sandboxOverheadBytes = 1000;

/**
 * Contents by the name of their sandbox. Use is measured on the process's clock, whatever time it is
 * in a sandbox; the map's order is the order of last use.
 *
 * Who would hold most makes room first. There are at most as many holders as sandboxes, so when all
 * together hold too much, who holds most holds more than the part of it that is one sandbox's: nobody
 * loses anything to others while holding `maxBytes / maxSandboxes` or less.
 */
export class MemorySandboxes<Entries> {
  readonly #clock: Clock;
  readonly #limits: SandboxLimits;
  readonly #onDrop: (contents: Contents<Entries>) => void;
  readonly #byName = new Map<string, Contents<Entries>>();
  readonly #permanent = new Map<string, Contents<Entries>>();
  readonly #holders = new Map<string, Holder<Entries>>();
  readonly #byBytes = new Ranking<Share<Entries>>();
  readonly #byCount = new Ranking<Share<Entries>>();
  /** Of all but the permanent sandboxes, which have bounds of their own. */
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
    for (const { bytes } of this.#permanent.values()) valueBytes += bytes.amount;
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
      contents.holder?.sandboxes.delete(contents);
      contents.holder?.sandboxes.add(contents);
      this.#latestName = name;
    }
    return contents;
  }

  /**
   * The contents of a sandbox, those that were just found or new ones, when they may grow by so many bytes; others are
   * dropped for it. Throws a `CapacityError` when the sandbox holds as much as one may, and a
   * {@link StateFullError} when there is no more room and no holder has more.
   */
  roomFor(
    sandbox: Pick<Sandbox, 'name' | 'caller'>,
    bytes: number,
    found = this.find(sandbox.name),
  ): Contents<Entries> {
    const { name } = sandbox;
    if (permanentSandboxes.includes(name)) {
      const held = found?.bytes.amount ?? 0;
      // What the service remembers has bounds in number, and no part that a caller can stretch.
      if (name === sharedSandboxName && held + bytes > this.#limits.maxBytesPerOwner) {
        throw sandboxFull(this.#limits);
      }
      return found ?? this.#create(name);
    }
    if (found !== undefined) {
      if (bytes > 0) this.#makeRoom({ name, holder: found.holder?.name ?? name }, 0, bytes);
      return found;
    }
    const wanted = { name, holder: sandbox.caller() };
    this.#makeRoom(wanted, 1, bytes + sandboxOverheadBytes + textBytes(name));
    return this.#create(name, wanted.holder);
  }

  /** Takes note that the contents take more or less than before. */
  addBytes(contents: Contents<Entries>, bytes: number): void {
    const { holder } = contents;
    if (holder === undefined) {
      contents.bytes.amount += bytes;
      return;
    }
    holder.bySize.change(contents.bytes, bytes);
    this.#bytes += bytes;
    this.#byBytes.change(holder.bytes, bytes);
  }

  drop(name: string): void {
    const contents = this.#permanent.get(name) ?? this.#byName.get(name);
    if (contents === undefined) return;
    const { holder } = contents;
    if (holder === undefined) {
      this.#permanent.delete(name);
    } else {
      this.#byName.delete(name);
      this.addBytes(contents, -contents.bytes.amount);
      holder.sandboxes.delete(contents);
      holder.bySize.remove(contents.bytes);
      this.#byCount.change(holder.count, -1);
      if (holder.sandboxes.size === 0) this.#forget(holder);
    }
    this.#onDrop(contents);
  }

  dropOwned(owner: string): void {
    const holder = this.#holders.get(holderOf(ownedSandboxName(owner, '')));
    for (const { name } of [...(holder?.sandboxes ?? [])]) this.drop(name);
  }

  dropAll(): void {
    for (const name of [...this.#permanent.keys(), ...this.#byName.keys()]) this.drop(name);
  }

  #create(name: string, holderName?: string): Contents<Entries> {
    const nowMs = this.#clock();
    const holder = holderName === undefined ? undefined : this.#holderNamed(holderName);
    const contents: Contents<Entries> = {
      name,
      createdAtMs: nowMs,
      lastUsedAtMs: nowMs,
      clockOffsetMs: 0,
      bytes: { name, amount: 0, place: 0 },
      spaces: new Map(),
      holder,
    };
    if (holder === undefined) {
      this.#permanent.set(name, contents);
    } else {
      this.#byName.set(name, contents);
      this.#latestName = name;
      holder.sandboxes.add(contents);
      holder.bySize.add(contents.bytes);
      this.#byCount.change(holder.count, 1);
    }
    this.addBytes(contents, sandboxOverheadBytes + textBytes(name));
    return contents;
  }

  /** Leaves room for a sandbox to be created, or to grow: at the cost of its holder first. */
  #makeRoom({ name, holder: holderName }: Wanted, sandboxes: number, bytes: number): void {
    const { maxSandboxes, maxBytes, maxSandboxesPerOwner, maxBytesPerOwner } = this.#limits;
    if (this.#byName.size + sandboxes > maxSandboxes || this.#bytes + bytes > maxBytes) {
      this.#sweep(this.#clock());
    }
    const holder = () => this.#holders.get(holderName);
    const count = () => (holder()?.count.amount ?? 0) + sandboxes;
    const held = () => (holder()?.bytes.amount ?? 0) + bytes;
    const size = (this.#byName.get(name)?.bytes.amount ?? 0) + bytes;

    if (size > maxBytesPerOwner) throw sandboxFull(this.#limits);
    while (holder()?.isAccount && (count() > maxSandboxesPerOwner || held() > maxBytesPerOwner)) {
      if (!this.#dropOldestOf(holder(), name)) throw sandboxFull(this.#limits);
    }
    while (this.#byName.size + sandboxes > maxSandboxes) {
      const most = this.#byCount.most;
      if (most !== undefined && most.amount > Math.max(1, count())) {
        this.#dropOldestOf(most.of, name);
      } else if (!this.#dropOldestOf(holder(), name) && !this.#dropOldestUnowned()) {
        throw new StateFullError();
      }
    }
    while (this.#bytes + bytes > maxBytes) {
      const most = this.#byBytes.most;
      const isOthers = most !== undefined && most.of.name !== holderName && most.amount > held();
      const isDropped = isOthers
        ? this.#dropForBytes(most.of, name, 0)
        : this.#dropForBytes(holder(), name, size);
      if (!isDropped) throw new StateFullError();
    }
  }

  /** Drops one of a holder's sandboxes for one of `size` bytes in use, and returns whether there was one to drop. */
  #dropForBytes(holder: Holder<Entries> | undefined, inUse: string, size: number): boolean {
    if (holder === undefined || holder.isAccount) return this.#dropOldestOf(holder, inUse);
    const largest = holder.bySize.most;
    if (largest === undefined || largest.name === inUse || largest.amount <= size) return false;
    this.drop(largest.name);
    return true;
  }

  /** Drops the sandbox that a holder has not used for longest, but never `inUse`; returns whether there was one. */
  #dropOldestOf(holder: Holder<Entries> | undefined, inUse: string): boolean {
    for (const { name } of holder?.sandboxes ?? []) {
      if (name === inUse) continue;
      this.drop(name);
      return true;
    }
    return false;
  }

  /** An account keeps its only sandbox; what has no account goes when it was not used for longest. */
  #dropOldestUnowned(): boolean {
    const [oldest] = this.#byName.keys();
    if (oldest === undefined || ownerOf(oldest) !== undefined) return false;
    this.drop(oldest);
    return true;
  }

  #holderNamed(name: string): Holder<Entries> {
    const known = this.#holders.get(name);
    if (known !== undefined) return known;
    const holder = new Holder<Entries>(name);
    this.#holders.set(name, holder);
    this.#byBytes.add(holder.bytes);
    this.#byCount.add(holder.count);
    return holder;
  }

  #forget(holder: Holder<Entries>): void {
    this.#holders.delete(holder.name);
    this.#byBytes.remove(holder.bytes);
    this.#byCount.remove(holder.count);
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
