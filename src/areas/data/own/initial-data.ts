/** The initial data of a sandbox, loaded into it or shared by all, and the totals of later writes. */

import { type Awaitable, whenKnown } from '#base/awaitable.js';
import { lazily } from '#base/lazily.js';
import { HttpError } from '#http/http-error.js';
import { targetsIn } from '#json-schema/references.js';
import { Dataset } from '#state/rows/dataset.js';
import { textBytes } from '#state/rows/heap-bytes.js';
import { forgetRows } from '#state/rows/table.js';
import { countBytes } from '#state/rows/take-value.js';
import { rowOf, type StoredRow, writtenJsonOf } from '#state/rows/written-row.js';
import { CapacityError, type Sandbox, type Space, type Transaction } from '#state/state.js';
import type { DataRecord } from '../source/fields.js';
import { modelOf, type OwnModel } from './load/own-model.js';
import { usualFieldNames } from './load/own-relations.js';
import { maxDataBytes, maxRecords, type OwnObject } from './load/read-own-data.js';

export interface InitialData {
  /** Changes each time data is loaded; the same for the same file. */
  readonly version: string;
  readonly model: OwnModel;
  readonly datasets: ReadonlyMap<string, Dataset<DataRecord>>;
  readonly singles: Space<StoredRow<DataRecord>>;
  readonly beginning: () => Totals;
  /** Whether it was loaded into a sandbox, instead of shared by all. */
  readonly isPut: boolean;
}

export function ownPath(name: string): string {
  return `/my/${encodeURIComponent(name)}`;
}

/** Data loaded into a sandbox, in one piece. */
export interface Put {
  readonly version: string;
  readonly data: OwnObject;
  readonly atMs: number;
}

export const puts: Space<Put> = { name: 'own-data', maxKeys: 1 };
export const putKey = 'data';

/** The size of a sandbox's data. Stored with the first write, for one version of the data. */
interface Totals {
  readonly version: string;
  readonly collections: number;
  readonly records: number;
  /** Size as JSON, because a snapshot can be loaded again. */
  readonly bytes: number;
}

const rowBytes = 64;

const totalsSpace: Space<Totals> = { name: 'own-data-totals', maxKeys: 1 };
const onlyKey = 'all';

export function initialData(version: string, model: OwnModel, isPut: boolean): InitialData {
  const { members, fieldNames, names } = model.data;
  const collections = [...members].filter(([, { isSingle }]) => !isSingle);
  const bytesOf = (row: DataRecord) => rowBytes + countBytes(row, fieldNames);
  const datasets = collections.map(([title, { records }], index) => {
    const dataset = new Dataset({
      name: datasetName(version, index),
      title,
      rows: records as readonly DataRecord[],
      idName: names.id,
      keepsOrder: true,
      bytesOf,
      noteWrite(view, before, after, json) {
        const bytes = jsonBytes(after, json) - jsonBytes(before);
        noteGrowth(view, data, bytes, Number(after !== undefined) - Number(before !== undefined));
      },
    });
    return [title, dataset] as const;
  });
  const data: InitialData = {
    version,
    model,
    isPut,
    singles: { name: singlesName(version), maxKeys: members.size + 1 },
    datasets: new Map(datasets),
    beginning: lazily(() => ({
      version,
      collections: collections.length,
      records: collections.reduce((sum, [, { records }]) => sum + records.length, 0),
      bytes: Buffer.byteLength(JSON.stringify(wholeOf(model))),
    })),
  };
  return data;
}

/** Bytes of any data, of each collection, and of each record in addition to its members; of a resolved reference. */
const dataBytes = 3000;
const collectionBytes = 800;
const recordBytes = 200;
const referenceBytes = 80;

/** Returns the memory of data in bytes, after all of it was read: responses cache the JSON of records. */
export function heldBytes({ data: { members, schemas, bytes } }: OwnModel, json: string): number {
  let records = 0;
  for (const member of members.values()) records += member.records.length;
  let references = 0;
  for (const schema of Object.values(schemas)) references += targetsIn(schema).size;
  const ofRecords = collectionBytes * members.size + recordBytes * records;
  const around = dataBytes + ofRecords + referenceBytes * references;
  return around + bytes + textBytes(json);
}

export const noData: InitialData = initialData(
  'none',
  modelOf({
    names: usualFieldNames,
    members: new Map(),
    schemas: {},
    bytes: 0,
    fieldNames: new Map(),
    warnings: [],
  }),
  false,
);

function datasetName(version: string, index: number): string {
  return `my-${version}-${index}`;
}

function singlesName(version: string): string {
  return `my-${version}-single-rows`;
}

/** Returns the data as loaded, without the schema of the file. */
export function wholeOf({ data: { members, schemas } }: OwnModel): OwnObject {
  const values = [...members].map(([name, { isSingle, records }]) => {
    return [name, isSingle ? records[0] : records] as const;
  });
  return {
    ...(Object.keys(schemas).length > 0 && { $schemas: schemas }),
    ...Object.fromEntries(values),
  };
}

/** Deletes writes over earlier data, such as a file that has changed since. */
export function forgetWrites(view: Transaction): void {
  const totals = view.read(totalsSpace, onlyKey);
  if (totals === undefined) return;
  const { version, collections } = totals;
  for (let index = 0; index < collections; index++) forgetRows(view, datasetName(version, index));
  const singles: Space<unknown> = { name: singlesName(version), maxKeys: 1 };
  for (const [name] of view.entries(singles)) view.write(singles, name, undefined);
  view.write(totalsSpace, onlyKey, undefined);
}

function totalsOf(view: Transaction, data: InitialData): Totals {
  const put = view.read(puts, putKey);
  if (data.isPut ? put?.version !== data.version : put !== undefined) {
    const message = 'The data of this sandbox was replaced meanwhile. Send the request again.';
    throw new HttpError(409, message);
  }
  const totals = view.read(totalsSpace, onlyKey);
  if (totals?.version === data.version) return totals;
  forgetWrites(view);
  return data.beginning();
}

export function noteGrowth(
  view: Transaction,
  data: InitialData,
  moreBytes: number,
  moreRecords = 0,
): void {
  const totals = totalsOf(view, data);
  const records = totals.records + moreRecords;
  const bytes = totals.bytes + moreBytes;
  if (moreRecords > 0 && records > maxRecords) {
    const message = `This sandbox already has ${totals.records} of your records, the maximum. Delete some first.`;
    throw new CapacityError(message);
  }
  if (moreBytes > 0 && bytes > maxDataBytes) {
    const message = `Your data would exceed ${maxDataBytes} bytes (5 MiB) as JSON. Delete some first.`;
    throw new CapacityError(message);
  }
  view.write(totalsSpace, onlyKey, { ...totals, records, bytes });
}

function jsonBytes(record: object | undefined, json?: string): number {
  if (record === undefined) return 0;
  return Buffer.byteLength(json ?? writtenJsonOf(record) ?? JSON.stringify(record)) + 1;
}

export function readSingle(
  view: Pick<Sandbox | Transaction, 'read'>,
  { singles, model: { data } }: InitialData,
  name: string,
): Awaitable<DataRecord> {
  return whenKnown(view.read(singles, name), (written = null) => {
    return rowOf(written) ?? ((data.members.get(name)?.records[0] ?? {}) as DataRecord);
  });
}
