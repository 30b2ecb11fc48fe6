/** Records as JSON over the wire, made once for each state of a record. */

import { hash, randomUUID } from 'node:crypto';
import { isLatest, modifiedAtOf, writtenJsonOf } from '../../../state/rows/row-notes.js';
import type { ResourceRecord } from './record-fields.js';

/** What was made of a record so far. */
interface Rendered {
  /** As it is stored. */
  json?: string;
  /** What the base URL stands between; one text where no picture of this service is in it. */
  parts?: readonly string[];
  hash?: string;
  lastModified?: string;
}

/** Records never change once stored; a changed record is another object. */
const renderings = new WeakMap<ResourceRecord, Rendered>();

/** Of the record that was written last, which is told of once: an entry in the map would cost more than all that. */
let ofLatest: { readonly record: ResourceRecord; readonly rendering: Rendered } | undefined;

/** What no record has in it. */
const mark = randomUUID();

function renderingOf(record: ResourceRecord): Rendered {
  if (ofLatest?.record === record) return ofLatest.rendering;
  const known = renderings.get(record);
  if (known !== undefined) return known;
  const rendering = {};
  if (isLatest(record)) ofLatest = { record, rendering };
  else renderings.set(record, rendering);
  return rendering;
}

/** As it is stored: pictures without an address before them. */
export function storedJson(record: ResourceRecord): string {
  const rendering = renderingOf(record);
  rendering.json ??= writtenJsonOf(record) ?? JSON.stringify(record);
  return rendering.json;
}

function partsOf(record: ResourceRecord, pictures: readonly string[]): readonly string[] {
  const ours = pictures.filter((name) => String(record[name]).startsWith('/'));
  if (ours.length === 0) return [storedJson(record)];
  const marked = Object.fromEntries(ours.map((name) => [name, `${mark}${record[name]}`]));
  return JSON.stringify({ ...record, ...marked }).split(mark);
}

/** `pictures` are the fields whose paths get `baseUrl` before them. */
export function renderRecord(
  record: ResourceRecord,
  pictures: readonly string[],
  baseUrl: string,
): string {
  const rendering = renderingOf(record);
  rendering.parts ??= partsOf(record, pictures);
  const { parts } = rendering;
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
 * What names the state of a record: the opaque part of its entity tag begins with it. It is made from the bytes that
 * are stored, so that every replica has the same one, and a record changed back gets its old one again.
 */
export function stateHashOf(record: ResourceRecord): string {
  const rendering = renderingOf(record);
  rendering.hash ??= hash('sha256', storedJson(record), 'base64url').slice(0, 22);
  return rendering.hash;
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
  const modifiedMs = modifiedAtOf(record);
  if (modifiedMs === undefined) return dataModified;
  const rendering = renderingOf(record);
  rendering.lastModified ??= dateOf(modifiedMs);
  return rendering.lastModified;
}

/** Most writes are of the same second as the one before. */
let latestSecond = { startMs: 0, date: '' };

function dateOf(timeMs: number): string {
  const startMs = Math.floor(timeMs / 1000) * 1000;
  if (startMs !== latestSecond.startMs) {
    latestSecond = { startMs, date: new Date(startMs).toUTCString() };
  }
  return latestSecond.date;
}
