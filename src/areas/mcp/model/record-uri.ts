/** URIs of records: `practice://books/1`. */

import { type CollectionName, collectionNames } from '#data/records.js';

export function recordUri(collection: CollectionName, id: number | string): string {
  return `practice://${collection}/${id}`;
}

const recordPattern = /^practice:\/\/([a-z]+)\/([1-9]\d{0,14})$/;

export interface RecordAddress {
  readonly collection: CollectionName;
  readonly id: number;
}

export function parseRecordUri(uri: string): RecordAddress | undefined {
  const [, name, id] = recordPattern.exec(uri) ?? [];
  const collection = collectionNames.find((each) => each === name);
  return collection && { collection, id: Number(id) };
}
