/** Sources of records, collections of this service or data that a caller brought along, and requests to them. */

import type { Awaitable } from '../../../base/awaitable.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { type FieldFault, HttpError } from '../../../http/http-error.js';
import type { Services } from '../../../kit/area.js';
import type { Table, TableInTransaction } from '../../../state/rows/table.js';
import type { Sandbox, Transaction } from '../../../state/state.js';
import type { Query } from './faults.js';
import type { DataRecord, FieldTable, FieldValue, RecordField, RecordId } from './fields.js';

export interface Source {
  /** All records, in words: `events`. */
  readonly name: string;
  /** One record, in words: `event`. */
  readonly noun: string;
  /** Below the base URL: `/api/Events`. */
  readonly path: string;
  /** The field that holds the id. */
  readonly idName: string;
  /** Whether it is one record at that path, without an id, rather than a collection. */
  readonly isSingle: boolean;
  readonly demandsCondition: boolean;
  readonly keepsTrash: boolean;
  /** Whether a reference must be the id of a record that exists. */
  readonly checksReferences: boolean;

  /** The names that a query may choose; all of them where records may have any field. */
  readonly fieldNames: readonly string[] | 'any';
  readonly fields: FieldTable;
  /** Adds the fields that later records have brought, where the query may name them. */
  readonly forQuery?: (call: Call) => Promise<Call>;
  readonly columnsOf: (records: readonly DataRecord[]) => readonly RecordField[];
  /** The fields that hold URLs of images. */
  readonly pictures: readonly string[];
  /** The relations of all records; with one record also those that only it has. */
  readonly relations: (record?: DataRecord) => readonly Relation[];
  /** Finds what `?embed=` names, in the relations or by the names of other collections. */
  readonly findRelation: (name: string) => Relation | undefined;
  /** Finds the children that a segment of a path below a record names, where any collection may be meant. */
  readonly findChildren?: (segment: string) => Relation | undefined;
  /** The names that {@link findRelation} finds, for messages. */
  readonly relationNames: () => readonly string[];

  readonly feedName: string;
  readonly recordsIn: (sandbox: Sandbox) => Records;
  readonly rowsIn: (view: Transaction) => TableInTransaction<DataRecord>;

  /** Reads the id in a path. Throws 400 where it can be none. */
  readonly idInPath: (text: string) => RecordId;
  /** Reads an id from JSON, or from a list in a query. Throws 400 where it can be none. */
  readonly parseId: (value: unknown) => RecordId;
  /** Returns the id of a record that is to be created at a path. Throws 400 where a client must not choose it. */
  readonly newId: (id: RecordId) => RecordId;

  /** Returns what is wrong with a body by its schema; one fault without a field where it is no object. */
  readonly bodyFaults: (kind: BodyKind, body: unknown) => FieldFault[];
  /**
   * Completes a record with its defaults. Throws 400 with the rules that it breaks, and with the faults that are known
   * already. `baseUrl` is that of this service's images.
   */
  readonly check: (
    sent: SentFields,
    faults: readonly FieldFault[],
    baseUrl: () => string,
  ) => CheckedRecord;
}

export type BodyKind = 'create' | 'replace' | 'merge';

export type SentFields = Readonly<Record<string, unknown>>;

/** A record that needs nothing but its id. */
export interface CheckedRecord {
  /** The id that the client chose, if any. */
  readonly sentId?: unknown;
  /** Defaults may depend on the time of the sandbox. */
  readonly build: (id: RecordId, nowMs: number) => DataRecord;
}

export type Records = Pick<Table<DataRecord>, 'list' | 'get' | 'listTrash' | 'getTrashed'>;

export interface Relation {
  /** As `?embed=` names it: `user`, or `posts`. */
  readonly name: string;
  readonly kind: 'parent' | 'children';
  readonly field: string;
  readonly other: Source;
  /** The segment after the id in the path of the children: `Posts`. */
  readonly segment: string;
  /** Finds the fields of these children that hold ids of parents, where that is not `field` only. */
  readonly linksOf?: (children: readonly DataRecord[]) => Links;
  /** Returns the ids of children that a parent lists. */
  readonly listedIn?: (parent: DataRecord) => readonly FieldValue[];
}

export interface Links {
  /** Fields with an id. */
  readonly fields: readonly string[];
  /** Fields with lists of ids. */
  readonly lists: readonly string[];
  /** Whether no record has such a field: `fields` has the usual one. */
  readonly isUsual?: boolean;
}

/** The records that a relation leads to from each record; null for a parent that does not exist. */
export type Related = (record: DataRecord) => DataRecord | null | readonly DataRecord[];

export const maxResponseBytes = 8 * 1024 * 1024;

export function recordPath({ path, isSingle }: Source, id: RecordId): string {
  return isSingle ? path : `${path}/${encodeURIComponent(id)}`;
}

export class Call {
  readonly source: Source;
  readonly request: Request;
  readonly reply: Reply;
  readonly services: Services;

  constructor(source: Source, request: Request, reply: Reply, services: Services) {
    this.source = source;
    this.request = request;
    this.reply = reply;
    this.services = services;
  }

  get query(): Query {
    return this.request.url.includes('?') ? (this.request.query as Query) : {};
  }

  get pathId(): string {
    return (this.request.params as { readonly id?: string }).id ?? '';
  }

  forQuery(): Awaitable<Call> {
    return this.source.forQuery?.(this) ?? this;
  }

  /** Reads records when everything that is due in the sandbox has been done. */
  read<Value>(read: (records: Records) => Awaitable<Value>): Awaitable<Value> {
    const { sandbox } = this.request;
    return this.services.dueWork.before(sandbox, () => read(this.source.recordsIn(sandbox)));
  }

  to(source: Source): Call {
    return new Call(source, this.request, this.reply, this.services);
  }
}

export type Handle = (call: Call) => Awaitable<unknown>;

/** Returns 404, or 410 for a record in the trash. */
export function absence({ noun, path }: Source, id: RecordId, trashed?: DataRecord): HttpError {
  if (trashed === undefined) {
    return new HttpError(404, `There is no ${noun} ${id}. GET ${path} lists those there are.`);
  }
  const message = `The ${noun} ${id} is in the trash since ${trashed.deletedAt}. POST ${path}/${id}/restore brings it back.`;
  return new HttpError(410, message);
}
