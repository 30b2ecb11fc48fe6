/**
 * A collection as the handlers know it. Most are those that `collections.ts` lists; they can as well be made at run
 * time, of records that only one sandbox has, with ids that are numbers or texts.
 */

import { lazily } from '../../../base/lazily.js';
import { gotParameter, gotValue } from '../../../base/text/got-value.js';
import type { RecordDeclaration } from '../../../data/declare-record.js';
import { referenceOf } from '../../../data/field-types.js';
import { storedPicture } from '../../../data/picture-address.js';
import type { Request } from '../../../http/exchange.js';
import { type FieldFault, HttpError } from '../../../http/http-error.js';
import type { Services } from '../../../kit/area.js';
import type { DueWork } from '../../../kit/due-work.js';
import {
  collection,
  type Dataset,
  type Row,
  type RowsInTransaction,
  rowsIn,
} from '../../../state/rows/collection.js';
import type { Awaitable, Sandbox, Transaction } from '../../../state/state.js';
import { type ListParameters, listParameters } from '../read/list-parameters.js';
import { faultyFields } from '../source/faulty-fields.js';
import {
  pictureFields,
  type RecordField,
  type RecordId,
  type ResourceRecord,
  recordFields,
} from '../source/record-fields.js';
import { orphanFaults, type Relation } from '../source/relations.js';
import { type CheckedRecord, checkRecord } from './check-record.js';
import type { DeclaredCollection } from './declare-collection.js';

export interface Resource {
  /** All of them, in words: `events`. */
  readonly name: string;
  /** One record, in words: `event`. */
  readonly noun: string;
  /** Below the base URL: `/api/Events`. */
  readonly path: string;
  /** Whether it is one record at that path, without an id of its own, rather than a collection. */
  readonly isSingle: boolean;
  /** The names of all fields, each of which may hold others. */
  readonly fieldNames: readonly string[];
  readonly parameters: ListParameters;
  /** What a table of these records has a column for. */
  readonly columnsOf: (records: readonly ResourceRecord[]) => readonly RecordField[];
  /** How records lead to others, of this collection or another. */
  readonly relations: () => readonly Relation[];
  /** The fields that hold addresses of pictures. */
  readonly pictures: readonly string[];
  /** Whether no record is written without a condition. */
  readonly demandsCondition: boolean;
  /** Whether what is deleted goes to a trash first. */
  readonly keepsTrash: boolean;
  readonly sandboxOf: (request: Request) => Sandbox;
  /** The records as the caller's sandbox has them, when all that is due by now has been done. */
  readonly recordsOf: (request: Request) => Records;
  /** The same in a transaction. */
  readonly rowsIn: (view: Transaction) => RowsInTransaction<ResourceRecord>;
  /** What the feed of its changes is called. */
  readonly feedName: (sandbox: Sandbox) => string;
  /** The id in the path; throws 400 where it can be none. */
  readonly idOf: (request: Request) => RecordId;
  /** Faults of the fields that must hold the ids of other records; of those that were sent. */
  readonly referenceFaults: (
    request: Request,
    sent: SentFields,
  ) => Awaitable<readonly FieldFault[]>;
  /** The id that a value is; throws 400 where it can be none. */
  readonly parseId: (value: unknown) => RecordId;
  /** Throws 400 for an id that no record may be given by a client. */
  readonly checkNewId: (id: RecordId) => void;
  /** What is wrong with a body by its schema; one fault without a field where it is no object. */
  readonly bodyFaults: (kind: 'create' | 'replace' | 'merge', body: unknown) => FieldFault[];
  /**
   * What a client sent as a record without its id, with defaults in place. Throws 400 with what breaks a
   * rule, and with the faults that are known already. `baseUrl` is that of this service's pictures.
   */
  readonly check: (
    sent: SentFields,
    faults: readonly FieldFault[],
    baseUrl: () => string,
  ) => CheckedRecord;
}

export type SentFields = Readonly<Record<string, unknown>>;

/** As {@link import('../../../state/rows/collection.js').Collection}, with ids of any kind. */
export interface Records {
  list(): Awaitable<readonly ResourceRecord[]>;
  get(id: RecordId): Awaitable<ResourceRecord | undefined>;
  readonly trash: {
    list(): Awaitable<readonly ResourceRecord[]>;
    get(id: RecordId): Awaitable<ResourceRecord | undefined>;
  };
}

/** Where a record is, below the base URL. */
export function recordPath({ path, isSingle }: Resource, id: RecordId): string {
  return isSingle ? path : `${path}/${encodeURIComponent(id)}`;
}

/** Larger ones would leave no room above them for those that the service gives. */
const maxNewId = 2 ** 31 - 1;

/** The resources of the datasets of this service, by name. */
export function resourcesOf(
  declared: readonly DeclaredCollection[],
  services: Services,
  checkBodies: (declared: DeclaredCollection) => Resource['bodyFaults'],
): ReadonlyMap<string, Resource> {
  const resources = new Map<string, Resource>();
  for (const each of declared) {
    const relations = lazily(() => relationsOf(each, declared, resources));
    resources.set(each.name, resourceOf(each, relations, services, checkBodies(each)));
  }
  return resources;
}

function resourceOf(
  { name, noun, path, record }: DeclaredCollection,
  relations: () => readonly Relation[],
  services: Services,
  bodyFaults: Resource['bodyFaults'],
): Resource {
  const { demandsCondition, keepsTrash } = record;
  const trash = keepsTrash ? ({ keepsTrash } as const) : {};
  const dataset = lazily((): Dataset<Row> => ({ ...trash, name, rows: services.datasets[name] }));
  const pictures = pictureFields(record.fields);

  /** Of this service they are stored without its address. */
  function withStoredPictures(sent: SentFields, baseUrl: () => string): SentFields {
    if (pictures.length === 0) return sent;
    const stored = { ...sent };
    for (const field of pictures) {
      const address = stored[field];
      if (typeof address !== 'string') continue;
      stored[field] = storedPicture(baseUrl(), address);
    }
    return stored;
  }

  const parameters = listParameters(recordFields(record.fields));
  return {
    name,
    noun,
    path,
    isSingle: false,
    fieldNames: ['id', ...Object.keys(record.fields)],
    parameters,
    columnsOf: () => parameters.fields,
    relations,
    pictures,
    demandsCondition,
    keepsTrash,
    sandboxOf: services.sandboxOf,
    recordsOf: (request) => new SettledRecords(services.sandboxOf(request), dataset(), services),
    rowsIn: (view) => rowsIn(view, dataset()) as unknown as RowsInTransaction<ResourceRecord>,
    feedName: () => name,
    idOf: ({ params }) => wholeId((params as { readonly id: number | string }).id),
    referenceFaults: (request, sent) => orphanFaults(relations(), request, sent),
    parseId,
    checkNewId(id) {
      if (Number(id) >= 1 && Number(id) <= maxNewId) return;
      const message = `A new ${noun} can have an id from 1 to ${maxNewId}; got ${id}.`;
      throw faultyFields([{ field: 'id', message }]);
    },
    bodyFaults,
    check: (sent, faults, baseUrl) =>
      checkRecord(record, withStoredPictures(sent, baseUrl), faults),
  };
}

/** What is due in a sandbox is done before its records are read. */
export class SettledRecords implements Records {
  readonly #sandbox: Sandbox;
  readonly #records: Records;
  readonly #dueWork: DueWork;

  constructor(sandbox: Sandbox, dataset: Dataset<Row>, { dueWork }: Services) {
    this.#sandbox = sandbox;
    this.#records = collection(sandbox, dataset) as unknown as Records;
    this.#dueWork = dueWork;
  }

  list(): Awaitable<readonly ResourceRecord[]> {
    return this.#dueWork.before(this.#sandbox, () => this.#records.list());
  }

  get(id: RecordId): Awaitable<ResourceRecord | undefined> {
    return this.#dueWork.before(this.#sandbox, () => this.#records.get(id));
  }

  get trash(): Records['trash'] {
    const { trash } = this.#records;
    return {
      list: () => this.#dueWork.before(this.#sandbox, () => trash.list()),
      get: (id) => trash.get(id),
    };
  }
}

function parseId(value: unknown): number {
  const id = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  if (Number.isSafeInteger(id)) return id as number;
  throw new HttpError(400, `An id must be an integer${gotValue('id', value)}.`);
}

/** What the schema of a route has read already is a number. */
function wholeId(id: number | string): number {
  const value = typeof id === 'number' || /^-?\d+$/.test(id) ? Number(id) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  const message = `The path parameter id must be an integer of at most ${Number.MAX_SAFE_INTEGER}${gotParameter('id', id)}.`;
  throw faultyFields([{ field: 'id', message }]);
}

function relationsOf(
  { name, record }: DeclaredCollection,
  all: readonly DeclaredCollection[],
  resources: ReadonlyMap<string, Resource>,
): readonly Relation[] {
  const toParents = parentsIn(record).map(({ field, of, childrenAs }) =>
    relationTo('parent', field.replace(/Id$/, ''), { field, childrenAs }, resources.get(of)),
  );
  const toChildren = all.flatMap((other) =>
    parentsIn(other.record)
      .filter(({ of }) => of === name)
      .map((each) => relationTo('children', each.childrenAs, each, resources.get(other.name))),
  );
  return [...toParents.sort((a, b) => (a.name < b.name ? -1 : 1)), ...toChildren];
}

/** The fields that hold the ids of other records. */
export function parentsIn({ fields }: RecordDeclaration) {
  return Object.entries(fields).flatMap(([field, schema]) => {
    const reference = referenceOf(schema);
    return reference === undefined ? [] : { field, ...reference };
  });
}

function relationTo(
  kind: Relation['kind'],
  name: string,
  { field, childrenAs }: { readonly field: string; readonly childrenAs: string },
  other: Resource | undefined,
): Relation {
  if (other === undefined) throw new Error(`The relation ${name} leads to no collection.`);
  const segment = childrenAs.charAt(0).toUpperCase() + childrenAs.slice(1);
  return { name, kind, field, other, segment };
}
