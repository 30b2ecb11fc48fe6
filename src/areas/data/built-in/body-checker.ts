/** What is wrong with bodies that come as parts of others, by the schemas of the routes that take them alone. */

import type { FastifySchemaValidationError } from 'fastify';
import { describeFaults } from '../../../app/schema-compilers.js';
import { lazily } from '../../../base/lazily.js';
import type { App } from '../../../kit/area.js';
import type { DeclaredCollection } from './declare-collection.js';
import { newRecordSchema, patchSchema, replacementSchema } from './record-schemas.js';
import type { Resource } from './resource.js';

type Validate = ((body: unknown) => boolean | { readonly error: unknown }) | undefined;

export function bodyChecker(app: App, { record }: DeclaredCollection): Resource['bodyFaults'] {
  const compile = (make: () => object) =>
    lazily(() => {
      const schema = make();
      const { validatorCompiler } = app as unknown as {
        readonly validatorCompiler: (part: object) => Validate;
      };
      return validatorCompiler({ schema, method: 'POST', url: '', httpPart: 'body' });
    });
  const validators = {
    create: compile(() => newRecordSchema(record)),
    replace: compile(() => replacementSchema(record)),
    merge: compile(() => patchSchema(record)),
  };
  return (kind, body) => {
    const found = validators[kind]()?.(body);
    if (typeof found !== 'object') return [];
    return describeFaults(found.error as readonly FastifySchemaValidationError[], 'body');
  };
}
