/** Ids of records of a caller's data: numbers or texts, which stay what they are. */

const controlCharacter = /\p{Cc}/u;
const maxIdLength = 200;

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

interface IdStatistics {
  /** Of those that are whole numbers, written as text or not; 0 without any. */
  readonly highest: number;
  readonly areTexts: boolean;
}

type WithIds = readonly { readonly id?: unknown }[];

const known = new WeakMap<WithIds, IdStatistics>();

export function statisticsOf(records: WithIds): IdStatistics {
  const before = known.get(records);
  if (before !== undefined) return before;
  const ids = records.map(({ id }) => id).filter((id) => id !== undefined);
  const highest = ids.reduce<number>(
    (most, id) => (wholeNumber.test(String(id)) ? Math.max(most, Number(id)) : most),
    0,
  );
  const areTexts = ids.length > 0 && ids.every((id) => typeof id === 'string');
  const statistics = { highest, areTexts };
  known.set(records, statistics);
  return statistics;
}
