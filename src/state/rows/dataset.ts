/** Frozen rows with which every sandbox begins, and the spaces of what sandboxes write over them. */

import type { Space, Transaction } from '../state.js';
import type { StoredRow } from './written-row.js';

export interface Row {
  readonly id: number | string;
}

/** Rows that a table may hold beside those of its dataset. */
export const maxCreatedRows = 1000;

export interface DatasetOptions<R extends Row> {
  /** Unique in the service, kebab-case. */
  readonly name: string;
  /** Frozen; in ascending order of `id` where ids are numbers. No two ids are the same text. */
  readonly rows: readonly R[];
  readonly title?: string;
  /** Returns the bytes of a row, where its values do not tell. */
  readonly bytesOf?: (row: R) => number;
  /** Called in the transaction before each write, which it may prevent by throwing. */
  readonly noteWrite?: (
    view: Transaction,
    before: R | undefined,
    after: R | undefined,
    json: string | undefined,
  ) => void;
  /** Whether removed rows stay in a trash, with `deletedAt` (ISO 8601). The feed of changes reports them as deleted. */
  readonly keepsTrash?: boolean;
}

interface IdStatistics {
  /** Of those that are whole numbers, written as text or not; 0 without any. */
  readonly highest: number;
  /** Whether there are ids, and all of them texts. */
  readonly areTexts: boolean;
}

const wholeNumber = /^(?:0|[1-9]\d{0,14})$/;

/** Looks at the ids of rows, some of which may have none yet. */
export function idStatistics(rows: readonly { readonly id?: unknown }[]): IdStatistics {
  const ids = rows.map(({ id }) => id).filter((id) => id !== undefined);
  const highest = ids.reduce<number>(
    (most, id) => (wholeNumber.test(String(id)) ? Math.max(most, Number(id)) : most),
    0,
  );
  return { highest, areTexts: ids.length > 0 && ids.every((id) => typeof id === 'string') };
}

export class Dataset<R extends Row> {
  readonly name: string;
  readonly rows: readonly R[];
  readonly options: DatasetOptions<R>;
  /** Changed rows of the dataset; `null` for deleted ones. */
  readonly changed: Space<StoredRow<R>>;
  readonly created: Space<StoredRow<R>>;
  #ids: IdStatistics | undefined;
  #index: ReadonlyMap<string, R> | 'in order' | undefined;

  constructor(options: DatasetOptions<R>) {
    const { name, rows, title = name } = options;
    this.name = name;
    this.rows = rows;
    this.options = options;
    this.changed = { name: `collection:${name}`, maxKeys: rows.length };
    this.created = {
      name: `collection-created:${name}`,
      maxKeys: maxCreatedRows,
      isKeptWhenFull: true,
      fullMessage: `This sandbox already holds ${maxCreatedRows} created ${title}, the most it may. Delete some first.`,
    };
  }

  /** Statistics of the ids of the frozen rows. */
  get ids(): IdStatistics {
    this.#ids ??= idStatistics(this.rows);
    return this.#ids;
  }

  /** Finds a frozen row: by binary search where ids are ascending numbers, else by the ids as texts. */
  find(id: R['id']): R | undefined {
    const { rows } = this;
    this.#index ??= areInOrder(rows)
      ? 'in order'
      : new Map(rows.map((row) => [String(row.id), row]));
    if (this.#index !== 'in order') return this.#index.get(String(id));
    // A text is the id of a number only where it is written like that: 01 is not 1.
    const number = Number(id);
    if (String(number) !== String(id)) return undefined;
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (Number(rows[middle]?.id) < number) low = middle + 1;
      else high = middle;
    }
    return rows[low]?.id === number ? rows[low] : undefined;
  }

  isTrashed(row: R): boolean {
    return this.options.keepsTrash === true && 'deletedAt' in row && row.deletedAt !== undefined;
  }
}

function areInOrder(rows: readonly Row[]): boolean {
  return rows.every(
    ({ id }, place) => typeof id === 'number' && (place === 0 || Number(rows[place - 1]?.id) < id),
  );
}
