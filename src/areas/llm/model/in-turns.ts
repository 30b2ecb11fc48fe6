/** Lets several completions be written at the same time. */

/** Yields the first part of each, then the second of each, and so on. */
export function* inTurns<Item, Part>(
  items: readonly Item[],
  partsOf: (item: Item, index: number) => Iterable<Part>,
): Generator<Part> {
  let open = items.map((item, index) => partsOf(item, index)[Symbol.iterator]());
  while (open.length > 0) {
    const left: Iterator<Part>[] = [];
    for (const each of open) {
      const { done, value } = each.next();
      if (done) continue;
      yield value;
      left.push(each);
    }
    open = left;
  }
}
