/** Sums of shares by holder, and by the groups of each holder. The largest of each are known at once. */

import { type Ranked, Ranking } from '../../base/shares/ranking.js';

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

/** A holder of shares; `amount` is their sum. */
export interface Holding<Member extends Share> extends Ranked {
  readonly name: string;
  readonly byName: Map<string, Group<Member>>;
  readonly groups: Ranking<Group<Member>>;
  /** Shares that make room last. */
  readonly last: Group<Member>;
}

export class Holdings<Member extends Share> {
  total = 0;
  readonly #byName = new Map<string, Holding<Member>>();
  readonly #ranking = new Ranking<Holding<Member>>();

  get most(): Holding<Member> | undefined {
    return this.#ranking.most;
  }

  find(holder: string): Holding<Member> | undefined {
    return this.#byName.get(holder);
  }

  add(share: Member, amount = 0): void {
    let holding = this.#byName.get(share.holder);
    if (holding === undefined) {
      const groups = { byName: new Map(), groups: new Ranking<Group<Member>>() };
      holding = { name: share.holder, amount: 0, place: 0, ...groups, last: newGroup('') };
      this.#byName.set(share.holder, holding);
      this.#ranking.add(holding);
    }
    let group = groupOf(holding, share);
    if (group === undefined) {
      group = newGroup<Member>(share.group);
      holding.byName.set(share.group, group);
      holding.groups.add(group);
    }
    group.shares.add(share);
    this.change(share, amount);
  }

  change(share: Member, by: number): void {
    const holding = this.#byName.get(share.holder);
    const group = holding && groupOf(holding, share);
    if (holding === undefined || group === undefined) return;
    this.total += by;
    group.shares.change(share, by);
    if (share.isLast) group.amount += by;
    else holding.groups.change(group, by);
    this.#ranking.change(holding, by);
  }

  remove(share: Member): void {
    const holding = this.#byName.get(share.holder);
    const group = holding && groupOf(holding, share);
    if (holding === undefined || group === undefined) return;
    this.change(share, -share.amount);
    group.shares.remove(share);
    if (!share.isLast && group.shares.most === undefined) {
      holding.byName.delete(group.name);
      holding.groups.remove(group);
    }
    if (nextGroup(holding) !== undefined) return;
    this.#byName.delete(holding.name);
    this.#ranking.remove(holding);
  }
}

/** Returns the group of a holder that makes room next. */
export function nextGroup<Member extends Share>({
  groups,
  last,
}: Holding<Member>): Group<Member> | undefined {
  return groups.most ?? (last.shares.most && last);
}

function groupOf<Member extends Share>(
  { byName, last }: Holding<Member>,
  { group, isLast }: Member,
): Group<Member> | undefined {
  return isLast ? last : byName.get(group);
}

function newGroup<Member extends Share>(name: string): Group<Member> {
  return { name, amount: 0, place: 0, shares: new Ranking() };
}
