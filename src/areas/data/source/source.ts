/** Sources of records, which are collections of this service or data of a caller, and requests to them. */

import type { Awaitable } from '#base/awaitable.js';
import type { Reply, Request } from '#http/exchange.js';
import { type FieldFault, HttpError } from '#http/http-error.js';
import type { Table, TableInTransaction } from '#state/rows/table.js';
import type { Sandbox, Transaction } from '#state/state.js';
import type { DataServices } from './data-services.js';
import type { Query } from './faults.js';
import type { DataRecord, FieldTable, FieldValue, RecordField, RecordId } from './fields.js';

export interface Source {
  /** The plural noun for messages: `events`. */
  readonly name: string;
  /** The singular noun for messages: `event`. */
  readonly noun: string;
  /** Below the base URL: `/api/Events`. */
  readonly path: string;
  /** The field that holds the id. */
  readonly idName: string;
  /** Whether it is a single resource at that path, without an id, instead of a collection. */
  readonly isSingle: boolean;
  readonly demandsCondition: boolean;
  readonly keepsTrash: boolean;
  /** Whether a reference must be the id of a record that exists. */
  readonly checksReferences: boolean;

  /** The names that a query may use; all if records may have any field. */
  readonly fieldNames: readonly string[] | 'any';
  readonly fields: FieldTable;
  /** Adds the fields of later records, if the query may name them. */
  readonly forQuery?: (call: Call) => Promise<Call>;
  readonly columnsOf: (records: readonly DataRecord[]) => readonly RecordField[];
  /** The fields that hold URLs of images. */
  readonly pictures: readonly string[];
  /** The relations of all records; with a record, also its own relations. */
  readonly relations: (record?: DataRecord) => readonly Relation[];
  /** Finds the relation that `?embed=` names, or the collection with that name. */
  readonly findRelation: (name: string) => Relation | undefined;
  /** Finds the children for a segment of a path below a record, if any collection is possible. */
  readonly findChildren?: (segment: string) => Relation | undefined;
  /** The names that {@link findRelation} finds, for messages. */
  readonly relationNames: () => readonly string[];

  readonly feedName: string;
  readonly recordsIn: (sandbox: Sandbox) => Records;
  readonly rowsIn: (view: Transaction) => TableInTransaction<DataRecord>;

  /** Parses the id in a path. Throws 400 for an invalid id. */
  readonly idInPath: (text: string) => RecordId;
  /** Parses an id from JSON, or from a list in a query. Throws 400 for an invalid id. */
  readonly parseId: (value: unknown) => RecordId;
  /** Returns the id of a record to create at a path. Throws 400 if clients must not choose it. */
  readonly newId: (id: RecordId) => RecordId;

  /** Returns the schema errors of a body; one error without a field if it is not an object. */
  readonly bodyFaults: (kind: BodyKind, body: unknown) => FieldFault[];
  /**
   * Completes a record with its defaults. Throws 400 with broken rules and with the known errors. `baseUrl` is the base
   * URL of this service's images.
   */
  readonly check: (
    sent: SentFields,
    faults: readonly FieldFault[],
    baseUrl: () => string,
  ) => CheckedRecord;
}

export type BodyKind = 'create' | 'replace' | 'merge';

export type SentFields = Readonly<Record<string, unknown>>;

/** A complete record except for its id. */
export interface CheckedRecord {
  /** The id that the client chose, if any. */
  readonly sentId?: unknown;
  /** Defaults may depend on the sandbox's time. */
  readonly build: (id: RecordId, nowMs: number) => DataRecord;
}

export type Records = Pick<Table<DataRecord>, 'list' | 'get' | 'listTrash' | 'getTrashed'>;

export interface Relation {
  /** The name for `?embed=`: `user`, or `posts`. */
  readonly name: string;
  readonly kind: 'parent' | 'children';
  readonly field: string;
  readonly other: Source;
  /** The segment after the id in the path of the children: `Posts`. */
  readonly segment: string;
  /** Finds the fields of these children that hold ids of parents, if there are more than `field`. */
  readonly linksOf?: (children: readonly DataRecord[]) => Links;
  /** Returns the ids of children that a parent lists. */
  readonly listedIn?: (parent: DataRecord) => readonly FieldValue[];
}

export interface Links {
  /** Fields with an id. */
  readonly fields: readonly string[];
  /** Fields with lists of ids. */
  readonly lists: readonly string[];
  /** Whether no record has such a field; then `fields` has the default. */
  readonly isUsual?: boolean;
}

/** The related records of each record; null for a parent that does not exist. */
export type Related = (record: DataRecord) => DataRecord | null | readonly DataRecord[];

export function recordPath({ path, isSingle }: Source, id: RecordId): string {
  return isSingle ? path : `${path}/${encodeURIComponent(id)}`;
}

export class Call {
  readonly source: Source;
  readonly request: Request;
  readonly reply: Reply;
  readonly services: DataServices;

  constructor(source: Source, request: Request, reply: Reply, services: DataServices) {
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

  /** Reads records after performing the sandbox's due jobs. */
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
    return new HttpError(404, `There is no ${noun} ${id}. GET ${path} lists all.`);
  }
  const message = `The ${noun} ${id} is in the trash since ${trashed.deletedAt}. POST ${path}/${id}/restore restores it.`;
  return new HttpError(410, message);
}
