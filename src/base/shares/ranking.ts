/** Ranks members by their amounts; the largest is known after each change, in O(log n). */

export interface Ranked {
  amount: number;
  place: number;
}

/** A binary heap whose members know their positions. */
export class Ranking<Member extends Ranked> {
  readonly #heap: Member[] = [];

  get most(): Member | undefined {
    return this.#heap[0];
  }

  add(member: Member): void {
    member.place = this.#heap.length;
    this.#heap.push(member);
    this.#rise(member);
  }

  change(member: Member, by: number): void {
    member.amount += by;
    if (by > 0) this.#rise(member);
    else this.#sink(member);
  }

  remove(member: Member): void {
    const last = this.#heap.pop();
    if (last === undefined || last === member) return;
    this.#put(last, member.place);
    this.#rise(last);
    this.#sink(last);
  }

  #rise(member: Member): void {
    while (member.place > 0) {
      const above = this.#heap[(member.place - 1) >> 1] as Member;
      if (above.amount >= member.amount) return;
      this.#swap(above, member);
    }
  }

  #sink(member: Member): void {
    for (;;) {
      const left = this.#heap[2 * member.place + 1];
      const right = this.#heap[2 * member.place + 2];
      const larger = right !== undefined && left && right.amount > left.amount ? right : left;
      if (larger === undefined || larger.amount <= member.amount) return;
      this.#swap(member, larger);
    }
  }

  /** Swaps two members; `above` moves to the position of `below`. */
  #swap(above: Member, below: Member): void {
    const { place } = above;
    this.#put(above, below.place);
    this.#put(below, place);
  }

  #put(member: Member, index: number): void {
    member.place = index;
    this.#heap[index] = member;
  }
}
