/** Which sandboxes this process holds, and which of them must go. */

import { type Ranked, Ranking } from '../../ranking.js';
import { textBytes } from '../heap-bytes.js';
import {
  type Clock,
  holderOf,
  ownedSandboxName,
  ownerOf,
  permanentSandboxes,
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
  /** Grows from use to use of any sandbox. */
  turn: number;
  clockOffsetMs: number;
  /** What it takes with all its values. */
  bytes: number;
  readonly spaces: Map<string, Entries>;
  /** None for a permanent sandbox. */
  readonly holder: Holder<Entries> | undefined;
}

/** Who has sandboxes: an account has several; one without an account is a holder of its own. */
class Holder<Entries> {
  readonly name: string;
  readonly sandboxes = new Set<Contents<Entries>>();
  readonly bytes: Share<Entries> = { amount: 0, place: 0, of: this };
  readonly count: Share<Entries> = { amount: 0, place: 0, of: this };

  constructor(name: string) {
    this.name = name;
  }
}

interface Share<Entries> extends Ranked {
  readonly of: Holder<Entries>;
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
  #turn = 0;
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
      contents.turn = ++this.#turn;
      this.#byName.delete(name);
      this.#byName.set(name, contents);
      this.#latestName = name;
    }
    return contents;
  }

  /**
   * The contents of a sandbox, those that were just found or new ones, when they may grow by so many bytes; others are
   * dropped for it. Throws a `CapacityError` when the sandbox holds as much as one may, and a
   * {@link StateFullError} when there is no more room and nobody holds more.
   */
  roomFor(name: string, bytes: number, found = this.find(name)): Contents<Entries> {
    if (permanentSandboxes.includes(name)) {
      const held = found?.bytes ?? 0;
      // What the service remembers has bounds in number, and no part that a caller can stretch.
      if (name === sharedSandboxName && held + bytes > this.#limits.maxBytesPerOwner) {
        throw sandboxFull(this.#limits);
      }
      return found ?? this.#create(name);
    }
    const isNew = found === undefined;
    const growth = isNew ? bytes + sandboxOverheadBytes + textBytes(name) : bytes;
    if (isNew || growth > 0) this.#makeRoom(name, isNew ? 1 : 0, growth);
    return found ?? this.#create(name);
  }

  /** Takes note that the contents take more or less than before. */
  addBytes(contents: Contents<Entries>, bytes: number): void {
    contents.bytes += bytes;
    const { holder } = contents;
    if (holder === undefined) return;
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
      this.addBytes(contents, -contents.bytes);
      holder.sandboxes.delete(contents);
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

  #create(name: string): Contents<Entries> {
    const nowMs = this.#clock();
    const isPermanent = permanentSandboxes.includes(name);
    const holder = isPermanent ? undefined : this.#holderOf(name);
    const contents: Contents<Entries> = {
      name,
      createdAtMs: nowMs,
      lastUsedAtMs: nowMs,
      turn: ++this.#turn,
      clockOffsetMs: 0,
      bytes: 0,
      spaces: new Map(),
      holder,
    };
    if (holder === undefined) {
      this.#permanent.set(name, contents);
    } else {
      this.#byName.set(name, contents);
      this.#latestName = name;
      holder.sandboxes.add(contents);
      this.#byCount.change(holder.count, 1);
    }
    this.addBytes(contents, sandboxOverheadBytes + textBytes(name));
    return contents;
  }

  /** Leaves room for so many more of the name's holder: at the holder's own cost first. */
  #makeRoom(name: string, sandboxes: number, bytes: number): void {
    const { maxSandboxes, maxBytes, maxSandboxesPerOwner, maxBytesPerOwner } = this.#limits;
    if (this.#byName.size + sandboxes > maxSandboxes || this.#bytes + bytes > maxBytes) {
      this.#sweep(this.#clock());
    }
    const holderName = holderOf(name);
    const count = () => (this.#holders.get(holderName)?.count.amount ?? 0) + sandboxes;
    const held = () => (this.#holders.get(holderName)?.bytes.amount ?? 0) + bytes;

    while (count() > maxSandboxesPerOwner || held() > maxBytesPerOwner) {
      if (!this.#dropOldestOf(holderName, name)) throw sandboxFull(this.#limits);
    }
    while (this.#byName.size + sandboxes > maxSandboxes) {
      const most = this.#byCount.most;
      if (most !== undefined && most.amount > Math.max(1, count())) {
        this.#dropOldestOf(most.of.name, name);
      } else if (!this.#dropOldestOf(holderName, name) && !this.#dropOldestUnowned()) {
        throw new StateFullError();
      }
    }
    while (this.#bytes + bytes > maxBytes) {
      const most = this.#byBytes.most;
      const isOthers = most !== undefined && most.of.name !== holderName && most.amount > held();
      if (!this.#dropOldestOf(isOthers ? most.of.name : holderName, name)) {
        throw new StateFullError();
      }
    }
  }

  /** Drops what a holder has not used for longest, but never `inUse`; says whether there was one. */
  #dropOldestOf(holderName: string, inUse: string): boolean {
    let oldest: Contents<Entries> | undefined;
    for (const each of this.#holders.get(holderName)?.sandboxes ?? []) {
      if (each.name !== inUse && (oldest === undefined || each.turn < oldest.turn)) oldest = each;
    }
    if (oldest !== undefined) this.drop(oldest.name);
    return oldest !== undefined;
  }

  /** An account keeps its only sandbox; what has no account goes when it was not used for longest. */
  #dropOldestUnowned(): boolean {
    const [oldest] = this.#byName.keys();
    if (oldest === undefined || ownerOf(oldest) !== undefined) return false;
    this.drop(oldest);
    return true;
  }

  #holderOf(sandboxName: string): Holder<Entries> {
    const name = holderOf(sandboxName);
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
