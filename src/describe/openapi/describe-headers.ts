/** Describes response headers in OpenAPI. */

import { Type } from 'typebox';
import type { Fields } from '#http/exchange.js';
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
  const entries = Object.entries(headers).map(([name, property]) => {
    const { description, ...schema } = schemas.refer(property);
    const example = headerExample(calls, status, name, schema);
    const header = {
      ...(description !== undefined && { description }),
      ...(!Type.IsOptional(property) && { required: true }),
      schema,
      ...(example !== undefined && { example }),
    };
    return [name, header];
  });
  return Object.fromEntries(entries);
}
