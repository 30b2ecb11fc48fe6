/** Where sandboxes keep data of their own: as it was put, in one piece, so that a PUT is all or nothing. */

import { randomBytes } from 'node:crypto';
import { runInTurns, type Steps } from '../../../base/run-steps.js';
import { whenKnown } from '../../../base/when-known.js';
import { type RowsInTransaction, rowsIn } from '../../../state/rows/collection.js';
import { noteWritten } from '../../../state/rows/row-notes.js';
import type { Awaitable, Sandbox, Transaction } from '../../../state/state.js';
import type { ResourceRecord } from '../source/record-fields.js';
import { storedJson } from '../source/render-record.js';
import type { PristineData } from './load/data-file.js';
import { modelOf, type OwnModel } from './load/own-model.js';
import { type OwnObject, takeOwnData } from './load/read-own-data.js';
import {
  forgetWrites,
  heldBytes,
  noData,
  noteSingle,
  type OwnSource,
  type Put,
  putKey,
  puts,
  sourceOf,
  type WrittenSingle,
  wholeOf,
} from './own-source.js';

/** By what is stored, which stays the same object while it stays as it is. */
const sources = new WeakMap<Put, OwnSource>();

export class OwnStore {
  #pristine: OwnSource = noData;

  readonly #maxSchemaParts: number | undefined;

  /** Schemas that another process has stored are accepted within the same limit. */
  constructor(pristine: PristineData | undefined, maxSchemaParts?: number) {
    this.#maxSchemaParts = maxSchemaParts;
    if (pristine !== undefined) this.setPristine(pristine);
  }

  /** What every sandbox begins with from now on; what was written over other data is gone. */
  setPristine({ version, model }: PristineData): void {
    if (this.#pristine.version !== version) this.#pristine = sourceOf(version, model, false);
  }

  /** What the sandbox begins with. */
  find(sandbox: Pick<Sandbox | Transaction, 'read'>): Awaitable<OwnSource> {
    return whenKnown(sandbox.read(puts, putKey), (put) => this.#sourceOf(put));
  }

  #sourceOf(put: Put | undefined): OwnSource {
    if (put === undefined) return this.#pristine;
    const known = sources.get(put);
    if (known !== undefined) return known;
    return keepSource(put, modelOf(takeOwnData(put.data), undefined, this.#maxSchemaParts));
  }

  /** Puts data in place of whatever there was, with all that was written over it. */
  async put(sandbox: Sandbox, model: OwnModel): Promise<void> {
    const atMs = await sandbox.now();
    const put: Put = { version: randomBytes(6).toString('hex'), data: wholeOf(model), atMs };
    const json = await runInTurns(jsonInSteps(put));
    keepSource(put, model);
    await sandbox.transact((view) => {
      forgetWrites(view);
      view.write(puts, putKey, put, { bytes: heldBytes(model, json), json });
    });
  }

  /** All of it as JSON, as it is at one moment. */
  snapshot(sandbox: Sandbox): Awaitable<string> {
    return sandbox.transact((view) => {
      const source = this.#sourceOf(view.read(puts, putKey));
      const { schemas, names } = source.model.data;
      const members = names.map((name) => `${JSON.stringify(name)}:${jsonOf(view, source, name)}`);
      if (Object.keys(schemas).length > 0) members.unshift(`"$schemas":${JSON.stringify(schemas)}`);
      return `{${members.join(',')}}`;
    });
  }
}

/** Writes what `JSON.stringify` would, in pieces. */
function* jsonInSteps({ version, data, atMs }: Put): Steps<string> {
  const members: string[] = [];
  for (const [name, value] of Object.entries(data)) {
    const json = Array.isArray(value) ? yield* listInSteps(value) : JSON.stringify(value);
    members.push(`${JSON.stringify(name)}:${json}`);
    yield;
  }
  return `{"version":${JSON.stringify(version)},"data":{${members.join()}},"atMs":${JSON.stringify(atMs)}}`;
}

function* listInSteps(values: readonly unknown[]): Steps<string> {
  const items: string[] = [];
  for (const value of values) {
    items.push(JSON.stringify(value));
    yield;
  }
  return `[${items.join()}]`;
}

function keepSource(put: Put, model: OwnModel): OwnSource {
  const { collections, singles } = model.data;
  const all = [...collections.values(), [...singles.values()]];
  const note = { atMs: put.atMs };
  for (const each of all.flat()) noteWritten(each, note);
  const source = sourceOf(put.version, model, true);
  sources.set(put, source);
  return source;
}

function jsonOf(view: Transaction, source: OwnSource, name: string): string {
  const dataset = source.datasets.get(name);
  if (dataset === undefined) return JSON.stringify(singleIn(view, source, name));
  const records = rowsIn(view, dataset).list() as readonly ResourceRecord[];
  return `[${records.map((record) => storedJson(record)).join(',')}]`;
}

function singleIn(view: Transaction, source: OwnSource, name: string): OwnObject {
  return currentValue(view.read(source.singles, name)) ?? source.model.data.singles.get(name) ?? {};
}

function currentValue(written: WrittenSingle | undefined): OwnObject | undefined {
  if (written !== undefined) noteWritten(written.value, { atMs: written.atMs });
  return written?.value;
}

/** A single resource as it is now. */
export function readSingle(
  sandbox: Sandbox,
  { singles, model }: OwnSource,
  name: string,
): Awaitable<OwnObject> {
  return whenKnown(
    sandbox.read(singles, name),
    (written) => currentValue(written) ?? model.data.singles.get(name) ?? {},
  );
}

/** The same in a transaction: one row, whatever the id it is asked for by. */
export function singleRowsIn(
  view: Transaction,
  source: OwnSource,
  name: string,
): RowsInTransaction<ResourceRecord> {
  const get = () => singleIn(view, source, name) as ResourceRecord;
  const none = () => undefined;
  return {
    nowMs: view.nowMs,
    get,
    list: () => [get()],
    update(_id, change) {
      const before = get();
      const json = JSON.stringify(change(before, view.nowMs));
      noteSingle(view, source, before, json);
      const value = JSON.parse(json) as OwnObject;
      view.write(source.singles, name, { value, atMs: view.nowMs });
      noteWritten(value, { atMs: view.nowMs, json });
      return value as ResourceRecord;
    },
    create() {
      throw new Error(`${name} is no collection.`);
    },
    remove: () => false,
    trash: { get: none, restore: none, purge: () => false },
  };
}
