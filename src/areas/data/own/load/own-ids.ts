/** Ids of records of one's own: numbers or texts, which stay what they are. */

export type OwnId = number | string;

const controlCharacter = /\p{Cc}/u;
export const maxIdLength = 200;

/** What an id must be; `undefined` when it is. */
export function idFault(id: unknown): string | undefined {
  if (typeof id === 'number' && Number.isFinite(id)) return undefined;
  if (typeof id !== 'string') return 'must be a number or a string';
  if (id === '' || id.length > maxIdLength || controlCharacter.test(id)) {
    return `must be a string of 1 to ${maxIdLength} characters without control characters, or a number`;
  }
  return undefined;
}

const wholeNumber = /^(?:0|[1-9]\d{0,14})$/;

export interface IdStatistics {
  /** Of those that are whole numbers, written as text or not; 0 without any. */
  readonly highest: number;
  /** Whether there are ids, and all of them texts. */
  readonly areTexts: boolean;
}

interface WithId {
  readonly id?: unknown;
}

const known = new WeakMap<readonly WithId[], IdStatistics>();

/** Of records that never change. */
export function statisticsOf(records: readonly WithId[]): IdStatistics {
  const before = known.get(records);
  if (before !== undefined) return before;
  let highest = 0;
  let texts = 0;
  let numbers = 0;
  for (const { id } of records) {
    if (typeof id === 'string') texts++;
    else if (typeof id === 'number') numbers++;
    if (id !== undefined && wholeNumber.test(String(id))) highest = Math.max(highest, Number(id));
  }
  const statistics = { highest, areTexts: texts > 0 && numbers === 0 };
  known.set(records, statistics);
  return statistics;
}

/**
 * Makes ids that none of these has: whole numbers above the highest, as text where all ids are texts. A
 * record without an id takes one of them.
 */
export function idsFor(records: readonly WithId[]): () => OwnId {
  const { highest, areTexts } = statisticsOf(records);
  let last = highest;
  return () => {
    last++;
    return areTexts ? String(last) : last;
  };
}
