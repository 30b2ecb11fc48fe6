/**
 * A collection as the handlers know it. Most are those that `collections.ts` lists; they can as well be made at run
 * time, of records that only one sandbox has, with ids that are numbers or texts.
 */

import type { FastifyRequest } from 'fastify';
import { storedPicture } from '../../data/picture-address.js';
import { lazily } from '../../lazily.js';
import type { Services } from '../../server/area.js';
import type { FieldFault } from '../../server/http-error.js';
import { collection, type Dataset, type Row } from '../../state/collection.js';
import type { Awaitable } from '../../state/state.js';
import { type CheckedRecord, checkRecord } from './check-record.js';
import type { DeclaredCollection, ParentRelation } from './declare-collection.js';
import { faultyFields } from './faulty-fields.js';
import { type ListParameters, listParameters } from './list-parameters.js';
import {
  pictureFields,
  type RecordId,
  type ResourceRecord,
  recordFields,
} from './record-fields.js';
import { orphanFaults, type Relation } from './relations.js';

export interface Resource {
  /** All of them, in words: `events`. */
  readonly name: string;
  /** One record, in words: `event`. */
  readonly noun: string;
  /** Below the base URL: `/api/Events`. */
  readonly path: string;
  /** The names of all fields, each of which may hold others. */
  readonly fieldNames: readonly string[];
  readonly parameters: ListParameters;
  /** How records lead to others, of this collection or another. */
  readonly relations: () => readonly Relation[];
  /** The fields that hold addresses of pictures. */
  readonly pictures: readonly string[];
  /** The records as the caller's sandbox has them. */
  readonly recordsOf: (request: FastifyRequest) => Records;
  /** The id in the path; throws 400 where it can be none. */
  readonly idOf: (request: FastifyRequest) => RecordId;
  /** Faults of the fields that must hold the ids of other records; of those that were sent. */
  readonly referenceFaults: (
    request: FastifyRequest,
    sent: SentFields,
  ) => Awaitable<readonly FieldFault[]>;
  /**
   * What a client sent as a record without its id, with defaults in place. Throws 400 with what breaks a
   * rule, and with the faults that are known already.
   */
  readonly check: (
    request: FastifyRequest,
    sent: SentFields,
    faults: readonly FieldFault[],
  ) => CheckedRecord;
}

export type SentFields = Readonly<Record<string, unknown>>;

/** As {@link import('../../state/collection.js').Collection}, with ids of any kind. */
export interface Records {
  list(): Awaitable<readonly ResourceRecord[]>;
  get(id: RecordId): Awaitable<ResourceRecord | undefined>;
  create(build: (id: RecordId, nowMs: number) => ResourceRecord): Awaitable<ResourceRecord>;
  update(
    id: RecordId,
    change: (record: ResourceRecord, nowMs: number) => ResourceRecord,
  ): Awaitable<ResourceRecord | undefined>;
  remove(id: RecordId, check?: (record: ResourceRecord) => void): Awaitable<boolean>;
}

/** The resources of the datasets of this service, by name. */
export function resourcesOf(
  declared: readonly DeclaredCollection[],
  services: Services,
): ReadonlyMap<string, Resource> {
  const resources = new Map<string, Resource>();
  for (const each of declared) {
    const relations = lazily(() => relationsOf(each, declared, resources));
    resources.set(each.name, resourceOf(each, relations, services));
  }
  return resources;
}

function resourceOf(
  { name, noun, path, record }: DeclaredCollection,
  relations: () => readonly Relation[],
  services: Services,
): Resource {
  const dataset = lazily((): Dataset<Row> => ({ name, rows: services.datasets[name] }));
  const pictures = pictureFields(record.fields);

  /** Of this service they are stored without its address. */
  function withStoredPictures(sent: SentFields, request: FastifyRequest): SentFields {
    if (pictures.length === 0) return sent;
    const stored = { ...sent };
    for (const field of pictures) {
      const address = stored[field];
      if (typeof address !== 'string') continue;
      stored[field] = storedPicture(services.baseUrlOf(request), address);
    }
    return stored;
  }

  return {
    name,
    noun,
    path,
    fieldNames: ['id', ...Object.keys(record.fields)],
    parameters: listParameters(recordFields(record.fields)),
    relations,
    pictures,
    recordsOf: (request) =>
      collection(services.sandboxOf(request), dataset()) as unknown as Records,
    idOf: ({ params }) => wholeId((params as { readonly id: number | string }).id),
    referenceFaults: (request, sent) => orphanFaults(relations(), request, sent),
    check: (request, sent, faults) =>
      checkRecord(record, withStoredPictures(sent, request), faults),
  };
}

/** What the schema of a route has read already is a number. */
function wholeId(id: number | string): number {
  const value = typeof id === 'number' || /^-?\d+$/.test(id) ? Number(id) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  const message = `The path parameter id must be a whole number of at most ${Number.MAX_SAFE_INTEGER}.`;
  throw faultyFields([{ field: 'id', message }]);
}

function relationsOf(
  { name, parents = [] }: DeclaredCollection,
  all: readonly DeclaredCollection[],
  resources: ReadonlyMap<string, Resource>,
): readonly Relation[] {
  const toParents = parents.map((each) =>
    relationTo('parent', each, each.parentAs, resources.get(each.of)),
  );
  const toChildren = all.flatMap((other) =>
    (other.parents ?? [])
      .filter(({ of }) => of === name)
      .map((each) => relationTo('children', each, each.childrenAs, resources.get(other.name))),
  );
  return [...toParents, ...toChildren];
}

function relationTo(
  kind: Relation['kind'],
  { field, childrenAs }: ParentRelation,
  name: string,
  other: Resource | undefined,
): Relation {
  if (other === undefined) throw new Error(`The relation ${name} leads to no collection.`);
  const segment = childrenAs.charAt(0).toUpperCase() + childrenAs.slice(1);
  return { name, kind, field, other, segment };
}
