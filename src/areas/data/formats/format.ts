/** What a format of responses is. */

import { pictureAddress } from '../../../data/picture-address.js';
import type { Offer } from '../../../http/codings/negotiate-type.js';
import type { Resource } from '../built-in/resource.js';
import type { ResponseShape } from '../read/response-shape.js';
import type { FieldValue, ResourceRecord } from '../source/record-fields.js';
import type { Related, Relation } from '../source/relations.js';

export interface Format extends Offer {
  /** In entity tags. */
  readonly name: string;
  readonly contentTypeOf: (mediaType: string) => string;
  /** The text in pieces, each of which is made in a few milliseconds. */
  readonly writeOne: (context: FormatContext, record: ResourceRecord) => Iterable<string>;
  /** The same of several records. */
  readonly writeList: (
    context: FormatContext,
    records: readonly ResourceRecord[],
    paging: Paging,
  ) => Iterable<string>;
}

export interface FormatContext {
  readonly resource: Resource;
  readonly shape: ResponseShape;
  /** For each relation of the shape. */
  readonly related: ReadonlyMap<Relation, Related>;
  /** Where addresses begin, without a slash at the end. */
  readonly baseUrl: string;
  /** The complete address of what is returned. */
  readonly self: string;
}

export interface Paging {
  readonly total: number;
  /** Complete addresses by relation: `next`. */
  readonly links: Readonly<Record<string, string>>;
}

export type ShownRecord = Readonly<Record<string, FieldValue>>;

/** A record as it is returned: addresses complete, chosen fields alone, others embedded. */
export function shownRecord(context: FormatContext, record: ResourceRecord): ShownRecord {
  const { resource, shape, related, baseUrl } = context;
  const shown: Record<string, FieldValue> = {};
  for (const [name, value] of Object.entries(record)) {
    if (shape.fields === undefined || shape.fields.has(name)) shown[name] = value;
  }
  completePictures(shown, resource, baseUrl);
  for (const relation of shape.embeds) {
    const others = related.get(relation)?.(record) ?? null;
    shown[relation.name] = Array.isArray(others)
      ? others.map((other: ResourceRecord) => wholeRecord(other, relation.other, baseUrl))
      : others && wholeRecord(others as ResourceRecord, relation.other, baseUrl);
  }
  return shown;
}

/** All fields of a record, with complete addresses. */
export function wholeRecord(
  record: ResourceRecord,
  resource: Resource,
  baseUrl: string,
): ShownRecord {
  if (resource.pictures.length === 0) return record;
  const shown: Record<string, FieldValue> = { ...record };
  completePictures(shown, resource, baseUrl);
  return shown;
}

function completePictures(
  shown: Record<string, FieldValue>,
  { pictures }: Resource,
  baseUrl: string,
): void {
  for (const name of pictures) {
    const stored = shown[name];
    if (typeof stored === 'string') shown[name] = pictureAddress(baseUrl, stored);
  }
}
