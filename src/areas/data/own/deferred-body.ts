/** Bodies that are not JSON: their collection, which says what their texts stand for, is known after they are read. */

import { isObject } from '../../../base/json-object.js';
import { HttpError } from '../../../http/http-error.js';
import type { BodyParsers } from '../routes/add-collection.js';
import type { Call } from '../source/call.js';
import { bodyParsers } from '../write/parse-bodies.js';

class DeferredBody {
  readonly type: string;
  readonly text: string;

  constructor(type: string, text: string) {
    this.type = type;
    this.text = text;
  }
}

/** For routes. */
export const deferredBodies: BodyParsers = Object.fromEntries(
  Object.keys(bodyParsers([])).map((type) => [
    type,
    (text: string) => new DeferredBody(type, text),
  ]),
);

/** Parses such a body by the fields of the collection; leaves others as they are. */
export function parseDeferred({ request, source }: Call): void {
  const { body } = request;
  if (!(body instanceof DeferredBody)) return;
  const parsed = bodyParsers(source.fields.all)[body.type]?.(body.text);
  if (isObject(parsed)) request.body = parsed;
  else throw new HttpError(400, 'The body must be one record: an object.');
}
