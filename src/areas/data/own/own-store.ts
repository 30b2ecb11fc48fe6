/** Stores the data of sandboxes. Loaded data is one value, so that a PUT is all or nothing. */

import { randomBytes } from 'node:crypto';
import { type Awaitable, whenKnown } from '#base/awaitable.js';
import { runInTurns, type Steps } from '#base/run-steps.js';
import { WritableTable } from '#state/rows/table.js';
import { noteWritten } from '#state/rows/written-row.js';
import type { Sandbox, Transaction } from '#state/state.js';
import { renderingOf } from '../source/rendering.js';
import {
  forgetWrites,
  heldBytes,
  type InitialData,
  initialData,
  noData,
  type Put,
  putKey,
  puts,
  readSingle,
  wholeOf,
} from './initial-data.js';
import type { PristineData } from './load/data-file.js';
import { modelOf, type OwnModel, type OwnOptions } from './load/own-model.js';
import { takeOwnData } from './load/read-own-data.js';

export class OwnStore {
  #pristine: InitialData = noData;
  /** Keyed by the stored value, which remains the same object until it changes. */
  readonly #initial = new WeakMap<Put, InitialData>();

  readonly options: OwnOptions;

  /** Schemas stored by another process are accepted within the same limit. */
  constructor(pristine: PristineData | undefined, options: OwnOptions = {}) {
    this.options = options;
    if (pristine !== undefined) this.setPristine(pristine);
  }

  /** Replaces the initial data of every sandbox. Writes over other data are deleted. */
  setPristine({ version, model }: PristineData): void {
    if (this.#pristine.version !== version) this.#pristine = initialData(version, model, false);
  }

  find(sandbox: Pick<Sandbox | Transaction, 'read'>): Awaitable<InitialData> {
    return whenKnown(sandbox.read(puts, putKey), (put) => {
      if (put === undefined) return this.#pristine;
      const { names, maxSchemaParts } = this.options;
      const model = () => modelOf(takeOwnData(put.data, names), undefined, maxSchemaParts);
      return this.#initial.get(put) ?? this.#keepInitial(put, model());
    });
  }

  async put(sandbox: Sandbox, model: OwnModel): Promise<void> {
    const atMs = await sandbox.now();
    const put: Put = { version: randomBytes(6).toString('hex'), data: wholeOf(model), atMs };
    const json = await runInTurns(jsonInSteps(put));
    this.#keepInitial(put, model);
    await sandbox.transact((view) => {
      forgetWrites(view);
      view.write(puts, putKey, put, { bytes: heldBytes(model, json), json });
    });
  }

  #keepInitial(put: Put, model: OwnModel): InitialData {
    const note = { atMs: put.atMs };
    for (const { records } of model.data.members.values()) {
      for (const each of records) noteWritten(each, note);
    }
    const data = initialData(put.version, model, true);
    this.#initial.set(put, data);
    return data;
  }

  snapshot(sandbox: Sandbox): Awaitable<string> {
    return sandbox.transact((view) => {
      const data = this.find(view) as InitialData;
      const { schemas, members } = data.model.data;
      const texts = [...members.keys()].map(
        (name) => `${JSON.stringify(name)}:${jsonOf(view, data, name)}`,
      );
      if (Object.keys(schemas).length > 0) texts.unshift(`"$schemas":${JSON.stringify(schemas)}`);
      return `{${texts.join(',')}}`;
    });
  }
}

/** Writes the same as `JSON.stringify`, in pieces. */
function* jsonInSteps({ version, data, atMs }: Put): Steps<string> {
  const members: string[] = [];
  for (const [name, value] of Object.entries(data)) {
    const items: string[] = [];
    for (const each of Array.isArray(value) ? value : []) {
      items.push(JSON.stringify(each));
      yield;
    }
    const json = Array.isArray(value) ? `[${items.join()}]` : JSON.stringify(value);
    members.push(`${JSON.stringify(name)}:${json}`);
    yield;
  }
  return `{"version":"${version}","data":{${members.join()}},"atMs":${atMs}}`;
}

function jsonOf(view: Transaction, data: InitialData, name: string): string {
  const dataset = data.datasets.get(name);
  if (dataset === undefined) return JSON.stringify(readSingle(view, data, name));
  const records = new WritableTable(view, dataset).list();
  return `[${records.map((record) => renderingOf(record).json).join(',')}]`;
}
