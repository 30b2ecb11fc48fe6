/** Headers of responses as OpenAPI has them. */

import { Type } from 'typebox';
import type { Fields } from '../../http/exchange.js';
import type { ComponentSchemas } from './component-schemas.js';
import { headerExample } from './describe-examples.js';
import type { JsonObject } from './json.js';
import type { RecordedCall } from './recorded-calls.js';

export function describeHeaders(
  headers: Fields,
  schemas: ComponentSchemas,
  calls: readonly RecordedCall[] = [],
  status = '',
): JsonObject {
  const { properties = {}, required = [] } = objectOf(headers) ?? {};
  const entries = Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = schemas.refer(property);
    const isRequired = required.includes(name);
    const example = headerExample(calls, status, name, schema);
    const header = {
      ...(description !== undefined && { description }),
      ...(isRequired && { required: true }),
      schema,
      ...(example !== undefined && { example }),
    };
    return [name, header];
  });
  return Object.fromEntries(entries);
}

/** An object schema, as far as it is looked into here. */
export interface ObjectSchema {
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

/** Several schemas by name as one of an object. */
export function objectOf(schemas: Fields | undefined): ObjectSchema | undefined {
  return schemas && Type.Object({ ...schemas });
}
