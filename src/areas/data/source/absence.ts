/** Why a record cannot be found. */

import { HttpError } from '../../../http/http-error.js';
import type { DataRecord, RecordId, Source } from './source.js';

export function notFound({ noun, path }: Source, id: RecordId): HttpError {
  return new HttpError(404, `There is no ${noun} ${id}. GET ${path} lists those there are.`);
}

/** 404, or 410 for a record in the trash. */
export function absence(source: Source, trashed: DataRecord | undefined, id: RecordId): HttpError {
  if (trashed === undefined) return notFound(source, id);
  const { noun, path } = source;
  return new HttpError(
    410,
    `The ${noun} ${trashed.id} is in the trash since ${trashed.deletedAt}. POST ${path}/${trashed.id}/restore brings it back.`,
  );
}
