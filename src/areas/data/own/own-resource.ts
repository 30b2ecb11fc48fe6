/** A collection of one's own as the handlers of all collections know it. */

import { lazily } from '../../../base/lazily.js';
import { gotValue } from '../../../base/text/got-value.js';
import { type FieldFault, HttpError } from '../../../http/http-error.js';
import { CheckBudget } from '../../../json-schema/budget.js';
import type { Services } from '../../../kit/area.js';
import { type Dataset, type Row, TransactionRows } from '../../../state/rows/collection.js';
import type { Transaction } from '../../../state/state.js';
import { type Resource, type SentFields, SettledRecords } from '../built-in/resource.js';
import { listParameters } from '../read/list-parameters.js';
import { faultyFields } from '../source/faulty-fields.js';
import type { RecordId, ResourceRecord } from '../source/record-fields.js';
import type { Relation } from '../source/relations.js';
import { inferShape, type Shape } from './load/infer-shape.js';
import { idFault, statisticsOf } from './load/own-ids.js';
import { maxRecordDepth, type OwnObject, unsafeName } from './load/read-own-data.js';
import { columnsOf, ownColumns, ownFields } from './own-fields.js';
import { nextIdIn, type OwnSource } from './own-source.js';

export function ownResource(
  name: string,
  source: OwnSource,
  services: Services,
  resourceOf: ResourceOf,
): Resource {
  const { sandboxOf } = services;
  const shape = source.model.shapeOf(name);
  const columns = lazily(() => ownColumns(shape));
  return {
    name,
    noun: `record of ${name}`,
    path: ownPath(name),
    isSingle: false,
    ...fieldsOf(shape),
    columnsOf: (records) => columnsOf(columns(), records),
    relations: lazily(() => relationsOf(name, source, resourceOf)),
    pictures: [],
    demandsCondition: false,
    keepsTrash: false,
    sandboxOf,
    recordsOf: (request) =>
      new SettledRecords(sandboxOf(request), datasetOf(name, source), services),
    rowsIn: (view) => new OwnRows(view, name, source),
    feedName: () => datasetOf(name, source).name,
    idOf: ({ params }) => (params as { readonly id: string }).id,
    parseId: (value) => checkedId(value),
    checkNewId: (id) => {
      checkedId(id);
    },
    bodyFaults: (_kind, body) => (isRecord(body) ? [] : [notARecord]),
    // Data that was brought along need not be whole, and neither need what is written to it.
    referenceFaults: () => [],
    check: (sent, faults) => buildRecord(sent, faults),
  };
}

export function ownPath(name: string): string {
  return `/my/${encodeURIComponent(name)}`;
}

/** What lists filter and sort by, and what can be left out of responses. */
export function fieldsOf(shape: Shape): Pick<Resource, 'fieldNames' | 'parameters'> {
  const names = new Set(['id', ...shape.properties.keys()]);
  return { fieldNames: [...names], parameters: listParameters(ownFields(shape)) };
}

/** Returns the resource of another collection of the same data. */
type ResourceOf = (name: string) => Resource;

/** The resources that relations lead to are found when something asks for them, so that none holds all others. */
function relationsOf(
  name: string,
  { model }: OwnSource,
  resourceOf: ResourceOf,
): readonly Relation[] {
  return model.relations().flatMap(({ children, field, parents, parent }) => {
    const segment = encodeURIComponent(children);
    const toParent: Relation = {
      ...{ name: parent, kind: 'parent', field, segment },
      get other() {
        return resourceOf(parents);
      },
    };
    const toChildren: Relation = {
      ...{ name: children, kind: 'children', field, segment },
      get other() {
        return resourceOf(children);
      },
    };
    return [...(children === name ? [toParent] : []), ...(parents === name ? [toChildren] : [])];
  });
}

/** With what later records have beside those that the data began with. */
export function widened(resource: Resource, records: readonly ResourceRecord[]): Resource {
  return { ...resource, ...fieldsOf(inferShape(records)) };
}

/** Makes a record of what was sent, as soon as its id is known; `wantedId` is the one that was sent. */
interface OwnBuild {
  (id: RecordId, nowMs: number): ResourceRecord;
  readonly wantedId: unknown;
}

function buildRecord(sent: SentFields, known: readonly FieldFault[]): OwnBuild {
  const faults = [...known, ...recordFaults(sent)];
  if (faults.length > 0) throw faultyFields(faults);
  const build = (id: RecordId) => {
    if (sent.id !== undefined && String(sent.id) !== String(id)) {
      const message = `id must be left out or be ${id}, as in the path${gotValue('id', sent.id)}.`;
      throw faultyFields([{ field: 'id', message }]);
    }
    return withId(sent, id) as ResourceRecord;
  };
  return Object.assign(build, { wantedId: sent.id });
}

/** The id stays where it was sent, and comes first where it was not. */
function withId(sent: SentFields, id: RecordId): OwnObject {
  return Object.hasOwn(sent, 'id') ? { ...sent, id } : { id, ...sent };
}

/** What no data of one's own may hold, so that all of it can be given back and put again. */
export function recordFaults(record: OwnObject): FieldFault[] {
  const faults: FieldFault[] = [];
  let isUnsafe = false;
  let isDeep = false;
  function look(value: unknown, depth: number): void {
    if (typeof value !== 'object' || value === null) return;
    isDeep ||= depth > maxRecordDepth;
    if (isDeep) return;
    if (!Array.isArray(value)) isUnsafe ||= Object.hasOwn(value, '__proto__');
    for (const each of Object.values(value)) look(each, depth + 1);
  }
  look(record, 1);
  if (isUnsafe) faults.push({ field: '__proto__', message: `The record ${unsafeName}.` });
  if (isDeep) {
    const message = `The record is nested deeper than ${maxRecordDepth} levels.`;
    faults.push({ field: '', message });
  }
  return faults;
}

export const notARecord: FieldFault = { field: '', message: 'The body must be an object.' };

export function isRecord(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/** The rows in a transaction: what is written has an id as it was given, and keeps to its schema. */
class OwnRows extends TransactionRows<ResourceRecord> {
  readonly #view: Transaction;
  readonly #name: string;
  readonly #source: OwnSource;
  /** A command has these rows to itself, also one of several operations. */
  readonly #budget = new CheckBudget();

  constructor(view: Transaction, name: string, source: OwnSource) {
    super(view, datasetOf(name, source) as unknown as Dataset<ResourceRecord>);
    this.#view = view;
    this.#name = name;
    this.#source = source;
  }

  override create(
    build: (id: RecordId, nowMs: number) => ResourceRecord,
    given?: RecordId,
  ): ResourceRecord {
    const id = this.#newId((build as Partial<OwnBuild>).wantedId, given);
    if (this.get(id) !== undefined) throw idTaken(this.#name, id);
    return super.create((_id, nowMs) => this.#checked(build(id, nowMs)), id);
  }

  // An address has ids as text; a record keeps the one that it has.
  override update(
    id: RecordId,
    change: (row: ResourceRecord, nowMs: number) => ResourceRecord,
  ): ResourceRecord | undefined {
    return super.update(id, (row, nowMs) => this.#checked({ ...change(row, nowMs), id: row.id }));
  }

  #newId(wantedId: unknown, given: RecordId | undefined): RecordId {
    if (given !== undefined) return asIdIn(this.#name, this.#source, given);
    return wantedId === undefined
      ? nextIdIn(this.#view, this.#source, this.#name)
      : checkedId(wantedId);
  }

  #checked(record: ResourceRecord): ResourceRecord {
    const faults = this.#source.model.check(this.#name, record, this.#budget);
    if (faults.length > 0) throw faultyFields(faults);
    return record;
  }
}

/** An address has ids as text; a new one is a number where those that there are can be numbers. */
function asIdIn(name: string, { model }: OwnSource, id: RecordId): RecordId {
  const { areTexts } = statisticsOf(model.data.collections.get(name) ?? []);
  return !areTexts && String(Number(id)) === String(id) ? Number(id) : id;
}

function datasetOf(name: string, { datasets }: OwnSource): Dataset<Row> {
  const dataset = datasets.get(name);
  if (dataset === undefined) throw new Error(`There are no rows of ${name}.`);
  return dataset;
}

function checkedId(wanted: unknown): RecordId {
  const fault = idFault(wanted);
  if (fault === undefined) return wanted as RecordId;
  throw faultyFields([{ field: 'id', message: `id ${fault}${gotValue('id', wanted)}.` }]);
}

function idTaken(name: string, id: RecordId): HttpError {
  const message = `There is a record ${id} in ${name} already. Leave the id out, and it is given one.`;
  return new HttpError(409, message);
}
