/** Checks the query of a request for a stored response. */

import { isObject } from '../../../../base/json-object.js';
import { unsupported } from '../read/faults.js';
import { array, choice, object, optional, type Reader } from '../read/fields.js';
import { included } from './response-body.js';

const flag = choice(['true', 'false']);
const list = array(included, { max: 20 });

/** A name that is sent once has one value. */
const include: Reader<unknown> = (field) =>
  Array.isArray(field.value) ? list(field) : included(field);

const noStream: Reader<undefined> = (field) => {
  if (flag(field) === 'true') throw unsupported(field.path, 'Only new responses are streamed.');
  return undefined;
};

const noStart: Reader<undefined> = ({ path }) => {
  throw unsupported(path, 'Stored responses are not streamed.');
};

const query = object({
  include: optional(include),
  'include[]': optional(include),
  include_obfuscation: optional(flag),
  starting_after: optional(noStart),
  stream: optional(noStream),
});

export function checkQuery(given: unknown): void {
  query({ path: '', value: isObject(given) ? given : {} });
}
