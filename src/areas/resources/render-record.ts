/** Records as JSON over the wire, made once for each state of a record. */

import { hash, randomUUID } from 'node:crypto';
import { modifiedAtOf } from '../../state/collection.js';
import type { ResourceRecord } from './record-fields.js';

interface Rendered {
  /** What the base URL stands between; one text where no picture of this service is in it. */
  readonly parts: readonly string[];
  /** Of the record as it is stored, whatever the address of this service. */
  hash: string | undefined;
  lastModified: string | undefined;
}

/** Records never change once stored; a changed record is another object. */
const renderings = new WeakMap<ResourceRecord, Rendered>();

/** What no record has in it. */
const mark = randomUUID();

function rendered(record: ResourceRecord, pictures: readonly string[]): Rendered {
  let rendering = renderings.get(record);
  if (rendering === undefined) {
    rendering = { parts: partsOf(record, pictures), hash: undefined, lastModified: undefined };
    renderings.set(record, rendering);
  }
  return rendering;
}

function partsOf(record: ResourceRecord, pictures: readonly string[]): readonly string[] {
  const ours = pictures.filter((name) => String(record[name]).startsWith('/'));
  if (ours.length === 0) return [JSON.stringify(record)];
  const marked = Object.fromEntries(ours.map((name) => [name, `${mark}${record[name]}`]));
  return JSON.stringify({ ...record, ...marked }).split(mark);
}

/** `pictures` are the fields whose paths are answered with `baseUrl` before them. */
export function renderRecord(
  record: ResourceRecord,
  pictures: readonly string[],
  baseUrl: string,
): string {
  const { parts } = rendered(record, pictures);
  return parts.length === 1 ? (parts[0] as string) : parts.join(baseUrl);
}

export function renderRecords(
  records: readonly ResourceRecord[],
  pictures: readonly string[],
  baseUrl: string,
  check: (texts: readonly string[]) => void,
): string {
  const texts = records.map((record) => renderRecord(record, pictures, baseUrl));
  check(texts);
  return `[${texts.join(',')}]`;
}

/**
 * What names the state of a record: the opaque part of its entity tag begins with it. It is made from the bytes that are
 * stored, so that every replica has the same one, and a record changed back gets its old one again.
 */
export function stateHashOf(record: ResourceRecord): string {
  const rendering: { hash: string | undefined } = renderings.get(record) ?? { hash: undefined };
  if (rendering.hash !== undefined) return rendering.hash;
  const made = hash('sha256', JSON.stringify(record), 'base64url').slice(0, 22);
  rendering.hash = made;
  return made;
}

/** A strong entity tag (RFC 9110 section 8.8.3), quotes included, of the record as JSON. */
export function entityTagOf(record: ResourceRecord): string {
  return `"${stateHashOf(record)}"`;
}

/** When the records that every sandbox begins with were last modified, for want of a better time. */
const dataModifiedMs = Date.UTC(2026, 0, 1);
const dataModified = new Date(dataModifiedMs).toUTCString();

/** By the clock of its sandbox. */
export function modifiedTimeOf(record: ResourceRecord): number {
  return modifiedAtOf(record) ?? dataModifiedMs;
}

/** The same, as Last-Modified has it (RFC 9110 section 8.8.2). */
export function lastModifiedOf(record: ResourceRecord): string {
  const rendering = renderings.get(record);
  if (rendering?.lastModified !== undefined) return rendering.lastModified;
  const modifiedMs = modifiedAtOf(record);
  const made = modifiedMs === undefined ? dataModified : new Date(modifiedMs).toUTCString();
  if (rendering !== undefined) rendering.lastModified = made;
  return made;
}
