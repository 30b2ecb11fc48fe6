/** Records serialized as JSON, with their entity tags and times. */

import { hash, randomUUID } from 'node:crypto';
import { createNotes } from '#base/notes.js';
import { modifiedAtOf, writtenJsonOf } from '#state/rows/written-row.js';
import type { DataRecord } from './fields.js';

/** A placeholder for the base URL in JSON, which no record contains. */
const mark = randomUUID();

export class Rendering {
  readonly #record: DataRecord;
  #json: string | undefined;
  /** The JSON around the base URL; one text if it has no image of this service. */
  #parts: readonly string[] | undefined;
  #stateHash: string | undefined;

  constructor(record: DataRecord) {
    this.#record = record;
  }

  /** The stored form: images of this service without the base URL. */
  get json(): string {
    this.#json ??= writtenJsonOf(this.#record) ?? JSON.stringify(this.#record);
    return this.#json;
  }

  /** `pictures` are the fields whose paths get the prefix `baseUrl`. */
  withPictures(pictures: readonly string[], baseUrl: string): string {
    if (pictures.length === 0) return this.json;
    this.#parts ??= this.#split(pictures);
    return this.#parts.join(baseUrl);
  }

  /** A hash of the stored bytes, so that every replica computes the same one. */
  get stateHash(): string {
    this.#stateHash ??= hash('sha256', this.json, 'base64url').slice(0, 22);
    return this.#stateHash;
  }

  /** A strong entity tag (RFC 9110 section 8.8.3) of the record as JSON, including quotes. */
  get entityTag(): string {
    return `"${this.stateHash}"`;
  }

  #split(pictures: readonly string[]): readonly string[] {
    const record = this.#record;
    const ours = pictures.filter((name) => String(record[name]).startsWith('/'));
    if (ours.length === 0) return [this.json];
    const marked = Object.fromEntries(ours.map((name) => [name, `${mark}${record[name]}`]));
    return JSON.stringify({ ...record, ...marked }).split(mark);
  }
}

const renderings = createNotes<Rendering>();

export function renderingOf(record: DataRecord): Rendering {
  const known = renderings.find(record);
  if (known !== undefined) return known;
  const rendering = new Rendering(record);
  renderings.set(record, rendering);
  return rendering;
}

/** Modification time of the records that every sandbox begins with. */
const dataModifiedMs = Date.UTC(2026, 0, 1);
const dataModified = new Date(dataModifiedMs).toUTCString();

/** By the sandbox's clock. */
export function modifiedTimeOf(record: DataRecord): number {
  return modifiedAtOf(record) ?? dataModifiedMs;
}

export function lastModifiedOf(record: DataRecord): string {
  const modifiedMs = modifiedAtOf(record);
  return modifiedMs === undefined ? dataModified : new Date(modifiedMs).toUTCString();
}
