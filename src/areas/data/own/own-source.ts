/**
 * Data of one's own as a sandbox begins with it: what it was given, or what the service was started with. What is
 * written lies over it, in rows like those of every other collection.
 */

import { lazily } from '../../../base/lazily.js';
import { HttpError } from '../../../http/http-error.js';
import { type Dataset, forgetRows, type Row } from '../../../state/rows/collection.js';
import { textBytes } from '../../../state/rows/heap-bytes.js';
import { writtenJsonOf } from '../../../state/rows/row-notes.js';
import { CapacityError, type Space, type Transaction } from '../../../state/state.js';
import { type OwnId, statisticsOf } from './load/own-ids.js';
import { modelOf, type OwnModel } from './load/own-model.js';
import { maxDataBytes, maxRecords, type OwnObject } from './load/read-own-data.js';
import { countBytes } from './load/take-value.js';

export interface OwnSource {
  /** Another one for each time that data was put; the same for the same file. */
  readonly version: string;
  readonly model: OwnModel;
  /** Another one for each source of this process. */
  readonly number: number;
  /** By the name of the collection. */
  readonly datasets: ReadonlyMap<string, Dataset<Row>>;
  /** The single resources that were written, by name. */
  readonly singles: Space<WrittenSingle>;
  readonly beginning: () => Totals;
  /** Whether it was put into a sandbox, rather than what all begin with. */
  readonly isPut: boolean;
}

/** What was put into a sandbox, in one piece. */
export interface Put {
  readonly version: string;
  readonly data: OwnObject;
  /** By the clock of the sandbox. */
  readonly atMs: number;
}

/** A single resource as it was written. */
export interface WrittenSingle {
  readonly value: OwnObject;
  readonly atMs: number;
}

export const puts: Space<Put> = { name: 'own-data', maxKeys: 1 };
export const putKey = 'data';

/** What a sandbox holds by now. It is there once something was written, and belongs to one source. */
export interface Totals {
  readonly version: string;
  /** How many collections the source has. */
  readonly collections: number;
  readonly records: number;
  /** As JSON: what is given back can be put again. */
  readonly bytes: number;
  /** The highest whole number that was ever an id in a collection, by its place. */
  readonly highest: Readonly<Record<string, number>>;
}

/** What stands around a row where it is kept. */
const rowBytes = 64;

const totalsSpace: Space<Totals> = { name: 'own-data-totals', maxKeys: 1 };
const onlyKey = 'all';

let sources = 0;

export function sourceOf(version: string, model: OwnModel, isPut: boolean): OwnSource {
  const { collections, singles } = model.data;
  const names = [...collections.keys()];
  const bytesOf = (row: Row) => rowBytes + countBytes(row, model.data.memberNames);
  const source: OwnSource = {
    number: ++sources,
    version,
    model,
    isPut,
    singles: { name: singlesName(version), maxKeys: Math.max(1, singles.size) },
    datasets: new Map(
      names.map((name, place) => {
        const rows = collections.get(name) ?? [];
        const noteWrite: Dataset<Row>['noteWrite'] = (view, before, after, json) => {
          noteChange(view, source, place, before, after, json);
        };
        const own = { name: datasetName(version, place), title: name, rows, noteWrite, bytesOf };
        return [name, own];
      }),
    ),
    beginning: lazily(() => ({
      version,
      collections: collections.size,
      records: [...collections.values()].reduce((sum, { length }) => sum + length, 0),
      bytes: Buffer.byteLength(JSON.stringify(wholeOf(model))),
      highest: {},
    })),
  };
  return source;
}

/** Bytes of any data, of each collection, and of each record beside its members. */
const sourceBytes = 3000;
const collectionBytes = 800;
const recordBytes = 200;

/** Bytes of memory that data takes once all of it was read: responses keep the JSON of the records. */
export function heldBytes({ data }: OwnModel, json: string): number {
  const { collections, singles, bytes } = data;
  let records = singles.size;
  for (const { length } of collections.values()) records += length;
  const count = collections.size + singles.size;
  return sourceBytes + collectionBytes * count + recordBytes * records + bytes + textBytes(json);
}

export const noData: OwnSource = sourceOf(
  'none',
  modelOf({
    collections: new Map(),
    singles: new Map(),
    schemas: {},
    names: [],
    bytes: 0,
    memberNames: new Map(),
  }),
  false,
);

function datasetName(version: string, place: number): string {
  return `my-${version}-${place}`;
}

function singlesName(version: string): string {
  return `my-${version}-singles`;
}

/** The data as it was given, but for what nobody needs. */
export function wholeOf({ data }: OwnModel): OwnObject {
  const { names, collections, singles, schemas } = data;
  const members = names.map((name) => [name, collections.get(name) ?? singles.get(name)] as const);
  return {
    ...(Object.keys(schemas).length > 0 && { $schemas: schemas }),
    ...Object.fromEntries(members),
  };
}

/** What was written over another source, such as a file that has changed since, is of no use any more. */
export function forgetWrites(view: Transaction): void {
  const totals = view.read(totalsSpace, onlyKey);
  if (totals === undefined) return;
  const { version, collections } = totals;
  for (let place = 0; place < collections; place++) {
    forgetRows(view, datasetName(version, place));
  }
  const singles: Space<WrittenSingle> = { name: singlesName(version), maxKeys: 1 };
  for (const [name] of view.entries(singles)) view.write(singles, name, undefined);
  view.write(totalsSpace, onlyKey, undefined);
}

function totalsOf(view: Transaction, source: OwnSource): Totals {
  const put = view.read(puts, putKey);
  if (source.isPut ? put?.version !== source.version : put !== undefined) {
    throw new HttpError(
      409,
      'The data of this sandbox was replaced meanwhile. Send the request again.',
    );
  }
  const totals = view.read(totalsSpace, onlyKey);
  if (totals?.version === source.version) return totals;
  forgetWrites(view);
  return source.beginning();
}

function noteChange(
  view: Transaction,
  source: OwnSource,
  place: number,
  before: Row | undefined,
  after: Row | undefined,
  json: string | undefined,
): void {
  const totals = totalsOf(view, source);
  const grown = bytesOf(after, json) - bytesOf(before);
  const more = Number(after !== undefined) - Number(before !== undefined);
  noteTotals(view, totals, more, grown, highestWith(totals, place, after?.id));
}

/** A whole number, written as text or not. */
function highestWith({ highest }: Totals, place: number, id: OwnId | undefined): Totals['highest'] {
  const number = Number(id);
  if (!Number.isSafeInteger(number) || number <= (highest[place] ?? 0)) return highest;
  return { ...highest, [place]: number };
}

/** Of a single resource that is written. */
export function noteSingle(
  view: Transaction,
  source: OwnSource,
  before: OwnObject,
  json: string,
): void {
  const totals = totalsOf(view, source);
  const grown = Buffer.byteLength(json) - Buffer.byteLength(JSON.stringify(before));
  noteTotals(view, totals, 0, grown, totals.highest);
}

function noteTotals(
  view: Transaction,
  totals: Totals,
  moreRecords: number,
  moreBytes: number,
  highest: Totals['highest'],
): void {
  const records = totals.records + moreRecords;
  const bytes = totals.bytes + moreBytes;
  if (moreRecords > 0 && records > maxRecords) {
    throw new CapacityError(
      `This sandbox already holds ${totals.records} records of your own, the limit. Delete some first.`,
    );
  }
  if (moreBytes > 0 && bytes > maxDataBytes) {
    throw new CapacityError(
      `Your own data would be larger than ${maxDataBytes} bytes (5 MiB) as JSON, the most it may be. Delete some first.`,
    );
  }
  view.write(totalsSpace, onlyKey, { ...totals, records, bytes, highest });
}

/** With the comma that stands between records. */
function bytesOf(record: object | undefined, json?: string): number {
  if (record === undefined) return 0;
  return Buffer.byteLength(json ?? writtenJsonOf(record) ?? JSON.stringify(record)) + 1;
}

/** An id that no record of the collection has or had: text where all that were given are texts. */
export function nextIdIn(view: Transaction, source: OwnSource, name: string): OwnId {
  const place = [...source.datasets.keys()].indexOf(name);
  const rows = source.model.data.collections.get(name) ?? [];
  const { highest, areTexts } = statisticsOf(rows);
  const next = Math.max(highest, totalsOf(view, source).highest[place] ?? 0) + 1;
  return areTexts ? String(next) : next;
}
