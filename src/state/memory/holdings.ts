/** Sums of shares by holder, and by the groups of each holder. The largest of each are known at once. */

import { type Ranked, Ranking } from '#base/shares/ranking.js';

export interface Share extends Ranked {
  readonly name: string;
  readonly holder: string;
  readonly group: string;
  /** Whether it makes room after all other shares of its holder. */
  readonly isLast?: boolean;
}

/** Shares of a holder; `amount` is their sum. */
export interface Group<Member extends Share> extends Ranked {
  readonly name: string;
  readonly shares: Ranking<Member>;
}

/** A holder of shares; `amount` is their sum. Most holders have one group, so others cost memory only when there are any. */
export interface Holding<Member extends Share> extends Ranked {
  readonly name: string;
  /** The group that has the name of the holder. */
  own: Group<Member> | undefined;
  others: Ranking<Group<Member>> | undefined;
  /** Shares that make room last. */
  last: Group<Member> | undefined;
}

export class Holdings<Member extends Share> {
  total = 0;
  readonly #byName = new Map<string, Holding<Member>>();
  readonly #ranking = new Ranking<Holding<Member>>();
  /** Groups beside the own ones, by holder and name. */
  readonly #others = new Map<string, Group<Member>>();

  get most(): Holding<Member> | undefined {
    return this.#ranking.most;
  }

  find(holder: string): Holding<Member> | undefined {
    return this.#byName.get(holder);
  }

  /** Returns the sum of a group, without the shares that make room last. */
  amountOf(holder: string, group: string): number {
    return this.#groupOf({ holder, group })?.amount ?? 0;
  }

  add(share: Member, amount = 0): void {
    const group = this.#groupOf(share) ?? this.#addGroup(share);
    group.shares.add(share);
    this.change(share, amount);
  }

  change(share: Member, by: number): void {
    const holding = this.#byName.get(share.holder);
    const group = this.#groupOf(share);
    if (holding === undefined || group === undefined) return;
    this.total += by;
    group.shares.change(share, by);
    if (group === holding.own || group === holding.last) group.amount += by;
    else holding.others?.change(group, by);
    this.#ranking.change(holding, by);
  }

  remove(share: Member): void {
    const holding = this.#byName.get(share.holder);
    const group = this.#groupOf(share);
    if (holding === undefined || group === undefined) return;
    this.change(share, -share.amount);
    group.shares.remove(share);
    if (group.shares.most === undefined) this.#removeGroup(holding, group);
    if (nextGroup(holding) !== undefined) return;
    this.#byName.delete(holding.name);
    this.#ranking.remove(holding);
  }

  #groupOf({
    holder,
    group,
    isLast = false,
  }: Pick<Share, 'holder' | 'group' | 'isLast'>): Group<Member> | undefined {
    if (isLast) return this.#byName.get(holder)?.last;
    return group === holder
      ? this.#byName.get(holder)?.own
      : this.#others.get(keyOf(holder, group));
  }

  #addGroup({ holder, group: name, isLast }: Member): Group<Member> {
    let holding = this.#byName.get(holder);
    if (holding === undefined) {
      const groups = { own: undefined, others: undefined, last: undefined };
      holding = { name: holder, amount: 0, place: 0, ...groups };
      this.#byName.set(holder, holding);
      this.#ranking.add(holding);
    }
    const group = { name, amount: 0, place: 0, shares: new Ranking<Member>() };
    if (isLast) holding.last = group;
    else if (name === holder) holding.own = group;
    else {
      holding.others ??= new Ranking();
      holding.others.add(group);
      this.#others.set(keyOf(holder, name), group);
    }
    return group;
  }

  #removeGroup(holding: Holding<Member>, group: Group<Member>): void {
    if (group === holding.last) holding.last = undefined;
    else if (group === holding.own) holding.own = undefined;
    else {
      holding.others?.remove(group);
      this.#others.delete(keyOf(holding.name, group.name));
    }
  }
}

/** Returns the largest group of a holder, without the shares that make room last. */
export function largestGroup<Member extends Share>({
  own,
  others,
}: Holding<Member>): Group<Member> | undefined {
  const other = others?.most;
  if (own === undefined || other === undefined) return own ?? other;
  return other.amount > own.amount ? other : own;
}

/** Returns the group of a holder that makes room next. */
export function nextGroup<Member extends Share>(
  holding: Holding<Member>,
): Group<Member> | undefined {
  return largestGroup(holding) ?? holding.last;
}

const keyOf = (holder: string, group: string) => `${holder} ${group}`;
