/** Sums of shares by holder. The largest holder, and its largest share, are known at once. */

import { type Ranked, Ranking } from '../../base/shares/ranking.js';

export interface Share extends Ranked {
  readonly name: string;
  readonly holder: string;
}

/** A holder of shares; `amount` is their sum. */
export interface Holding<Member extends Share> extends Ranked {
  readonly name: string;
  readonly shares: Ranking<Member>;
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
      holding = { name: share.holder, amount: 0, place: 0, shares: new Ranking() };
      this.#byName.set(share.holder, holding);
      this.#ranking.add(holding);
    }
    holding.shares.add(share);
    this.change(share, amount);
  }

  change(share: Member, by: number): void {
    const holding = this.#byName.get(share.holder);
    if (holding === undefined) return;
    this.total += by;
    holding.shares.change(share, by);
    this.#ranking.change(holding, by);
  }

  remove(share: Member): void {
    const holding = this.#byName.get(share.holder);
    if (holding === undefined) return;
    this.change(share, -share.amount);
    holding.shares.remove(share);
    if (holding.shares.most !== undefined) return;
    this.#byName.delete(holding.name);
    this.#ranking.remove(holding);
  }
}
