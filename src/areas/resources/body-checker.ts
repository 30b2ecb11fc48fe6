/** Checks bodies that come as parts of others, by the schemas of the endpoints that accept them alone. */

import { lazily } from '../../base/lazily.js';
import { describeFaults } from '../../kit/input/describe-faults.js';
import { bodyValidator } from '../../kit/input/validators.js';
import type { DeclaredCollection } from './declare-collection.js';
import { newRecordSchema, patchSchema, replacementSchema } from './record-schemas.js';
import type { Resource } from './resource.js';

export function bodyChecker({ record }: DeclaredCollection): Resource['bodyFaults'] {
  const validators = {
    create: lazily(() => bodyValidator(newRecordSchema(record))),
    replace: lazily(() => bodyValidator(replacementSchema(record))),
    merge: lazily(() => bodyValidator(patchSchema(record))),
  };
  return (kind, body) => describeFaults(validators[kind]()(body) ?? [], 'body');
}
