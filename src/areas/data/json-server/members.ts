/** The data of a sandbox in json-server's terms: collections and single resources by name. */

import type { Request } from '#http/exchange.js';
import type { Names } from '#kit/json-server/relate.js';
import { Table, type TableInTransaction } from '#state/rows/table.js';
import type { Sandbox, Transaction } from '#state/state.js';
import { type InitialData, ownPath, readSingle } from '../own/initial-data.js';
import { sourceAt } from '../own/own-source.js';
import type { OwnStore } from '../own/own-store.js';
import type { DataServices } from '../source/data-services.js';
import type { DataRecord } from '../source/fields.js';
import type { Source } from '../source/source.js';

export interface Member {
  readonly name: string;
  readonly isSingle: boolean;
}

/** Read access to the data. */
export class Members {
  readonly #data: InitialData;
  readonly #sandbox: Sandbox;

  constructor(data: InitialData, sandbox: Sandbox) {
    this.#data = data;
    this.#sandbox = sandbox;
  }

  static async of(
    store: OwnStore,
    { dueWork }: DataServices,
    { sandbox }: Request,
  ): Promise<Members> {
    const data = await dueWork.before(sandbox, () => store.find(sandbox));
    return new Members(data, sandbox);
  }

  get names(): readonly string[] {
    return [...this.#data.model.data.members.keys()];
  }

  get fieldNames(): Names {
    return this.#data.model.data.names;
  }

  /** Finds the member named in a path, in any letter case. */
  find(segment: string): Member | undefined {
    return findMember(this.#data, segment);
  }

  /** Reads a member by its exact name: a list of records, or the value of a single resource. */
  async read(name: string): Promise<unknown> {
    const member = this.#data.model.data.members.get(name);
    if (member === undefined) return undefined;
    const dataset = this.#data.datasets.get(name);
    if (dataset === undefined) return readSingle(this.#sandbox, this.#data, name);
    return new Table(this.#sandbox, dataset).list();
  }

  /** Finds a record by the text of its id. */
  async get(name: string, id: string): Promise<DataRecord | undefined> {
    const dataset = this.#data.datasets.get(name);
    return dataset && new Table(this.#sandbox, dataset).get(id);
  }

  async all(): Promise<Readonly<Record<string, unknown>>> {
    const entries: [string, unknown][] = [];
    for (const name of this.names) entries.push([name, await this.read(name)]);
    return Object.fromEntries(entries);
  }
}

function findMember(data: InitialData, segment: string): Member | undefined {
  const { members } = data.model.data;
  const lower = segment.toLowerCase();
  const name = members.has(segment)
    ? segment
    : [...members.keys()].find((each) => each.toLowerCase() === lower);
  return name === undefined ? undefined : { name, isSingle: !data.datasets.has(name) };
}

/** Write access to the data, in one transaction. */
export class WritableMembers {
  readonly #store: OwnStore;
  readonly #view: Transaction;
  readonly #data: InitialData;

  constructor(store: OwnStore, view: Transaction) {
    this.#store = store;
    this.#view = view;
    this.#data = store.find(view) as InitialData;
  }

  get fieldNames(): Names {
    return this.#data.model.data.names;
  }

  get collections(): readonly string[] {
    return [...this.#data.datasets.keys()];
  }

  find(segment: string): Member | undefined {
    return findMember(this.#data, segment);
  }

  sourceOf(name: string): Source {
    return sourceAt(this.#store, this.#view, ownPath(name)) as Source;
  }

  rowsOf(name: string): TableInTransaction<DataRecord> {
    return this.sourceOf(name).rowsIn(this.#view);
  }
}
