/** What holds for every operation, or for every one that can have it: described once. */

import { Type } from 'typebox';
import type { Fields } from '../../http/exchange.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import {
  allowedMethods,
  cacheControl,
  challenge,
  entityTag,
  retryAfter,
  takenCodings,
} from '../../http/schemas/header-schemas.js';
import type { ComponentSchemas } from './component-schemas.js';
import { describeHeaders } from './describe-headers.js';
import type { JsonObject } from './json.js';

const requestId = Type.String({
  pattern: '^[\\w.:~+/=@-]{1,128}$',
});

const sandboxName = Type.String({ pattern: '^[\\w.-]{1,64}$' });

const parameters = {
  Sandbox: {
    name: 'X-Sandbox',
    in: 'header',
    description:
      'The sandbox that is read and written: any name makes a copy of all data and state of your own. Without it, the one that everybody shares, or that the address names below `/s/`.',
    schema: sandboxName,
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'Comes back with the response; without it, or when it is not of this form, a new id does.',
    schema: requestId,
  },
} as const;

const headers: Fields = {
  'X-Request-Id': Type.String({
    ...requestId,
    description: 'The X-Request-Id of the request, or a new one; what to name when reporting.',
  }),
  ...cacheControl,
  'X-Simulated': Type.Optional(
    Type.Literal('true', {
      description: 'Present when ?delay= or ?error= was heeded, or a fault was planned.',
    }),
  ),
  'X-Fault': Type.Optional(
    Type.String({
      pattern: '^[\\w.-]{1,64}#\\d+$',
      description: 'The rule of the fault plan that acted, and which of its acts it was.',
    }),
  ),
};

const faultHeaderNames: readonly string[] = ['X-Simulated', 'X-Fault'];

/** Of every route; infrastructure has only the last. */
export const commonParameterNames = Object.keys(parameters);

/** Of every response. */
export const commonHeaderNames = Object.keys(headers);

/** Of those to which no fault is done. */
export const faultlessHeaderNames = commonHeaderNames.filter(
  (name) => !faultHeaderNames.includes(name),
);

/** What HTTP says a status comes with, and what every such response here has. */
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
          'Any other failure: one that was asked for by ?error= or planned, malformed HTTP, headers that are too large, a request that came too slowly, a shared state that is away (503, with Retry-After), or a fault of the service. Where a path has error shapes of its own (GraphQL, SOAP), 503 has them too.',
        headers: Object.fromEntries(
          commonHeaderNames.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
        ),
        content: { 'application/json': { schema: schemas.refer(errorSchema) } },
      },
    },
  };
}
