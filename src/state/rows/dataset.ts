/** Initial frozen rows of every sandbox, and the spaces for a sandbox's changes to them. */

import type { Space, Transaction } from '../state.js';
import type { StoredRow } from './written-row.js';

export interface Row {
  /** The id; a dataset may choose another name for it. */
  readonly id: number | string;
}

/** Maximum number of rows that a table may hold in addition to its dataset. */
export const maxCreatedRows = 1000;

export interface DatasetOptions<R extends Row> {
  /** Unique in the service, kebab-case. */
  readonly name: string;
  /** Frozen. If two rows have the same id as text, lookups return the first. */
  readonly rows: readonly R[];
  /** Name of the id field. Default: `id`. */
  readonly idName?: string;
  /**
   * Whether rows stay in the order of creation. Otherwise rows with numeric ids are listed in the
   * order of ids.
   */
  readonly keepsOrder?: true;
  readonly title?: string;
  /** Returns the bytes of a row, if its values do not show them. */
  readonly bytesOf?: (row: R) => number;
  /** Called in the transaction before each write; it may throw to prevent the write. */
  readonly noteWrite?: (
    view: Transaction,
    before: R | undefined,
    after: R | undefined,
    json: string | undefined,
  ) => void;
  /**
   * Whether removed rows move to a trash, with `deletedAt` (ISO 8601). The feed of changes reports
   * them as deleted.
   */
  readonly keepsTrash?: boolean;
}

interface IdStatistics {
  /** Highest integer id, as number or text; 0 without any. */
  readonly highest: number;
  /** Whether there are ids, and all of them are texts. */
  readonly areTexts: boolean;
}

const wholeNumber = /^(?:0|[1-9]\d{0,14})$/;

/** Examines the ids of rows; some rows may have none yet. */
export function idStatistics(rows: readonly object[], idName = 'id'): IdStatistics {
  const ids = rows
    .map((row) => (row as Readonly<Record<string, unknown>>)[idName])
    .filter((id) => id !== undefined);
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
  /** Changed rows of the dataset; `null` for deleted rows. */
  readonly changed: Space<StoredRow<R>>;
  readonly created: Space<StoredRow<R>>;
  readonly #idName: string;
  #ids: IdStatistics | undefined;
  #index: ReadonlyMap<string, R> | 'in order' | undefined;

  constructor(options: DatasetOptions<R>) {
    const { name, rows, title = name, idName = 'id' } = options;
    this.name = name;
    this.#idName = idName;
    this.rows = rows;
    this.options = options;
    this.changed = { name: `collection:${name}`, maxKeys: rows.length };
    this.created = {
      name: `collection-created:${name}`,
      maxKeys: maxCreatedRows,
      isKeptWhenFull: true,
      fullMessage: `This sandbox already holds ${maxCreatedRows} created ${title}, the limit. Delete some first.`,
    };
  }

  /** Statistics of the ids of the frozen rows. */
  get ids(): IdStatistics {
    this.#ids ??= idStatistics(this.rows, this.#idName);
    return this.#ids;
  }

  idOf(row: R): R['id'] {
    return (row as Readonly<Record<string, unknown>>)[this.#idName] as R['id'];
  }

  /** Whether some frozen rows cannot be found by id, because an earlier row has the same. */
  get hasTwins(): boolean {
    return typeof this.#indexed === 'object' && this.#indexed.size < this.rows.length;
  }

  get #indexed() {
    this.#index ??= this.#isInOrder() ? 'in order' : this.#indexById();
    return this.#index;
  }

  #indexById(): ReadonlyMap<string, R> {
    const index = new Map<string, R>();
    for (const row of this.rows) {
      const id = String(this.idOf(row));
      if (!index.has(id)) index.set(id, row);
    }
    return index;
  }

  #isInOrder(): boolean {
    let last = Number.NEGATIVE_INFINITY;
    return this.rows.every((row) => {
      const id = this.idOf(row);
      const isAfter = typeof id === 'number' && id > last;
      last = Number(id);
      return isAfter;
    });
  }

  /**
   * Finds a frozen row: by binary search if ids are ascending numbers, else by the ids as texts.
   */
  find(id: R['id']): R | undefined {
    const { rows } = this;
    const idAt = (place: number) => rows[place] && this.idOf(rows[place]);
    if (this.#indexed !== 'in order') return this.#indexed.get(String(id));
    // Only the canonical text of a number is an id: 01 is not 1.
    const number = Number(id);
    if (String(number) !== String(id)) return undefined;
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (Number(idAt(middle)) < number) low = middle + 1;
      else high = middle;
    }
    return idAt(low) === number ? rows[low] : undefined;
  }

  isTrashed(row: R): boolean {
    return this.options.keepsTrash === true && 'deletedAt' in row && row.deletedAt !== undefined;
  }
}
