/** Records as they go over the wire, made once for each state of a record. */

import { hash } from 'node:crypto';
import type { ResourceRecord } from './record-fields.js';

interface Rendered {
  readonly json: string;
  etag: string | undefined;
}

/** Records never change once stored; a changed record is another object. */
const renderings = new WeakMap<ResourceRecord, Rendered>();

function rendered(record: ResourceRecord): Rendered {
  let rendering = renderings.get(record);
  if (rendering === undefined) {
    rendering = { json: JSON.stringify(record), etag: undefined };
    renderings.set(record, rendering);
  }
  return rendering;
}

export function renderRecord(record: ResourceRecord): string {
  return rendered(record).json;
}

export function renderRecords(records: readonly ResourceRecord[]): string {
  return `[${records.map(renderRecord).join(',')}]`;
}

/**
 * A strong entity tag (RFC 9110 section 8.8.3), quotes included. It is made from the bytes, so that
 * every replica gives the same one, and a record changed back gets its old one again.
 */
export function entityTagOf(record: ResourceRecord): string {
  const rendering = rendered(record);
  if (rendering.etag === undefined) {
    const digest = hash('sha256', rendering.json, 'base64url');
    rendering.etag = `"${digest.slice(0, 22)}"`;
  }
  return rendering.etag;
}
