/** Parts of every operation, or of every operation that can have them: described once. */

import { Type } from 'typebox';
import type { Fields } from '#http/exchange.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import {
  allowedMethods,
  cacheControl,
  challenge,
  entityTag,
  retryAfter,
  takenCodings,
} from '#http/schemas/header-schemas.js';
import type { ComponentSchemas } from './component-schemas.js';
import { describeHeaders } from './describe-headers.js';
import type { JsonObject } from './json.js';

const requestId = Type.String({
  pattern: '^[\\w.:+=@-]{1,64}$',
});

const sandboxName = Type.String({ pattern: '^[\\w.-]{1,64}$' });

const parameters = {
  Sandbox: {
    name: 'X-Sandbox',
    in: 'header',
    description:
      'The sandbox to read and write. Any name creates a private copy of all data and state. Default: the sandbox in the path below `/s/`, or else the shared one.',
    schema: sandboxName,
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Echoed in the response. If missing or malformed, a new id is generated.',
    schema: requestId,
  },
} as const;

const headers: Fields = {
  'X-Request-Id': Type.String({
    ...requestId,
    description: 'The X-Request-Id of the request, or a new one. Include it in problem reports.',
  }),
  ...cacheControl,
  'X-Simulated': Type.Optional(
    Type.Literal('true', {
      description: 'Present when ?delay=, ?error= or a fault plan acted.',
    }),
  ),
  'X-Fault': Type.Optional(
    Type.String({
      pattern: '^[\\w.-]{1,64}#\\d+$',
      description: 'The rule of the fault plan that acted, and the number of its act.',
    }),
  ),
};

const faultHeaderNames: readonly string[] = ['X-Simulated', 'X-Fault'];

/** Parameters of every route; infrastructure has only the last. */
export const commonParameterNames = Object.keys(parameters);

/** Headers of every response. */
export const commonHeaderNames = Object.keys(headers);

/** Headers of responses without simulated faults. */
export const faultlessHeaderNames = commonHeaderNames.filter(
  (name) => !faultHeaderNames.includes(name),
);

/** Headers that HTTP defines for a status, and that every such response has here. */
export const headersByStatus: Readonly<Record<number, Fields>> = {
  304: entityTag,
  401: challenge,
  405: allowedMethods,
  415: takenCodings,
  429: retryAfter,
  503: retryAfter,
};

export const failureReference: JsonObject = { $ref: '#/components/responses/Failure' };

export function commonComponents(
  schemas: ComponentSchemas,
): Readonly<Record<'parameters' | 'headers' | 'responses', JsonObject>> {
  return {
    parameters: Object.fromEntries(
      Object.entries(parameters).map(([name, { schema, ...rest }]) => [
        name,
        { ...rest, schema: schemas.refer(schema) },
      ]),
    ),
    headers: describeHeaders(headers, schemas),
    responses: {
      Failure: {
        description:
          'Any other failure: simulated by ?error= or a fault plan, malformed HTTP, headers that are too large, a request that arrived too slowly, an unavailable shared state (503, with Retry-After), or an internal error. Where a path has its own error shapes (GraphQL, SOAP), 503 has them too.',
        headers: Object.fromEntries(
          commonHeaderNames.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
        ),
        content: { 'application/json': { schema: schemas.refer(errorSchema) } },
      },
    },
  };
}
