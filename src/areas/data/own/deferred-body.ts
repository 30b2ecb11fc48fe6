/**
 * Bodies that are no JSON: what their texts stand for is known as soon as the collection is, which is after
 * bodies are read.
 */

import type { Request } from '../../../http/exchange.js';
import { HttpError } from '../../../http/http-error.js';
import type { Resource } from '../built-in/resource.js';
import { bodyParsers } from '../write/parse-bodies.js';

class DeferredBody {
  readonly type: string;
  readonly text: string;

  constructor(type: string, text: string) {
    this.type = type;
    this.text = text;
  }
}

/** For routes: as `otherBodies` of their configuration. */
export const deferredBodies: Readonly<Record<string, (text: string) => unknown>> =
  Object.fromEntries(
    Object.keys(bodyParsers([])).map((type) => [
      type,
      (text: string) => new DeferredBody(type, text),
    ]),
  );

/** Parses such a body by the fields of the collection; leaves others as they are. */
export function parseDeferred(request: Request, { parameters }: Resource): void {
  const { body } = request;
  if (!(body instanceof DeferredBody)) return;
  const parsed = bodyParsers(parameters.fields)[body.type]?.(body.text);
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
    request.body = parsed;
  else throw new HttpError(400, 'The body must be one record: an object.');
}
