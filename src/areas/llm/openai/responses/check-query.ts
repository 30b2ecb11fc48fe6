/** Checks the query of a request for a stored response. */

import { isObject } from '#base/json-object.js';
import { array, object } from '#kit/input/fields/parts.js';
import { absent, checked, either, optional } from '#kit/input/fields/reader.js';
import { choice } from '#kit/input/fields/values.js';
import { fieldOf, unsupported } from '../read/faults.js';
import { included } from './response-body.js';

const flag = choice(['true', 'false']);
const list = array(included, { max: 20 });

/** A name that is sent once has one value. */
const include = either<unknown>([included, list], (field) =>
  Array.isArray(field.value) ? list(field) : included(field),
);

const noStream = checked(flag, (value, { path }) => {
  if (value === 'true') throw unsupported(path, 'Only new responses are streamed.');
});

const query = object({
  include: optional(include),
  'include[]': optional(include),
  include_obfuscation: optional(flag),
  starting_after: absent('Stored responses are not streamed.'),
  stream: optional(noStream),
});

export function checkQuery(given: unknown): void {
  query(fieldOf(isObject(given) ? given : {}));
}
