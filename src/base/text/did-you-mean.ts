/** Suggests the known name that an unknown one most resembles. */

import leven from 'leven';

/** Longer names, and names of larger sets, get no suggestion. */
const maxLength = 60;
const maxKnown = 300;

/** Part of a name's characters that may differ. */
const differentPart = 0.4;

/** Returns ` Did you mean limit?`, or an empty text if none is similar. */
export function didYouMean(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`;
}

/** Names of other services for parameters, by the names that may exist here. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  limit: ['perpage', 'pagesize', 'size', 'take', 'count', 'maxresults', 'top', '$top', 'first'],
  offset: ['skip', '$skip', 'start', 'from'],
  sort: ['orderby', 'sortby', 'ordering', '$orderby'],
  q: ['query', 'search', 'term', 'keyword', 'text'],
  fields: ['select', '$select', 'attributes'],
  embed: ['include', 'expand', 'populate', '$expand'],
};

function synonymOf(name: string, known: readonly string[]): string | undefined {
  const bare = bareOf(name);
  return Object.keys(otherNames).find(
    (each) => known.includes(each) && otherNames[each]?.includes(bare),
  );
}

/** Returns the name that means the same, or the most similar one, if there is one. Ignores case, - and _. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > maxLength || known.length > maxKnown) return undefined;
  const bare = bareOf(name);
  const same = known.find((each) => bareOf(each) === bare) ?? synonymOf(name, known);
  if (same !== undefined) return same;
  const most = Math.max(1, Math.floor(bare.length * differentPart));
  let best: { readonly name: string; readonly slips: number } | undefined;
  for (const each of known) {
    if (each.length > maxLength || bare.length < 2) continue;
    const slips = leven(bare, bareOf(each), { maxDistance: most + 1 });
    if (slips <= most && slips < (best?.slips ?? most + 1)) best = { name: each, slips };
  }
  return best?.name;
}

/**
 * Returns a function that finds the known name that a client probably misspelled: it differs in case, - and _, or in one
 * of four characters. Stricter than {@link nearestName}, for names that are rejected only if they are misspelled.
 */
export function misspelledNameIn(known: readonly string[]): (name: string) => string | undefined {
  const right = known.map((each) => ({ name: each, bare: bareOf(each) }));
  const byBare = new Map(right.toReversed().map(({ name, bare }) => [bare, name]));
  return (name) => {
    if (name.length > maxLength) return undefined;
    const bare = bareOf(name);
    return byBare.get(bare) ?? nearestBare(bare, right);
  };
}

interface Known {
  readonly name: string;
  readonly bare: string;
}

/** Compares only names of similar length, because a query may have thousands of names. */
function nearestBare(bare: string, known: readonly Known[]): string | undefined {
  let best: { readonly name: string; readonly slips: number } | undefined;
  for (const { name, bare: right } of known) {
    const most = Math.floor(Math.min(bare.length, right.length) / 4);
    if (most === 0 || Math.abs(bare.length - right.length) > most) continue;
    const slips = slipsBetween(bare, right, most);
    if (slips <= most && slips < (best?.slips ?? most + 1)) best = { name, slips };
  }
  return best?.name;
}

/** Returns the edit distance, in which two exchanged characters count as one edit. */
function slipsBetween(one: string, other: string, most: number): number {
  const slips = leven(one, other, { maxDistance: most + 2 });
  const isExchanged = slips === 2 && [...one].sort().join() === [...other].sort().join();
  return isExchanged ? 1 : slips;
}

const bareOf = (name: string) => name.toLowerCase().replaceAll(/[-_]/g, '');
