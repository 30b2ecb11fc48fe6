/**
 * Returns the URL of an image. Images of this service are stored as paths, so that they work under
 * any base URL.
 */

import type { TSchema } from 'typebox';
import type { FieldSchemas } from './declare-record.js';
import { holdsPicture } from './field-types.js';

export function pictureAddress(baseUrl: string, stored: string): string {
  return stored.startsWith('/') ? baseUrl + stored : stored;
}

/** Converts a sent image URL to its stored form; it may come from an earlier response. */
function storedPicture(baseUrl: string, sent: string): string {
  return sent.startsWith(`${baseUrl}/images/`) ? sent.slice(baseUrl.length) : sent;
}

/** Returns the names of the fields with pictures. */
export function pictureFields(schemas: FieldSchemas): readonly string[] {
  return Object.keys(schemas).filter((name) => holdsPicture(schemas[name] as TSchema));
}

/** Returns a record as clients see it: `pictures` are the fields whose paths get the base URL. */
export function withPictureUrls<Each extends object>(
  record: Each,
  pictures: readonly string[],
  baseUrl: () => string,
): Each {
  return withPictures(record, pictures, (stored) => pictureAddress(baseUrl(), stored));
}

/** Returns a record in its stored form. */
export function withStoredPictures<Each extends object>(
  sent: Each,
  pictures: readonly string[],
  baseUrl: () => string,
): Each {
  return withPictures(sent, pictures, (url) => storedPicture(baseUrl(), url));
}

function withPictures<Each extends object>(
  record: Each,
  pictures: readonly string[],
  change: (text: string) => string,
): Each {
  if (pictures.length === 0) return record;
  const changed = { ...record } as Record<string, unknown>;
  for (const name of pictures) {
    const value = changed[name];
    if (typeof value === 'string') changed[name] = change(value);
  }
  return changed as Each;
}
