/**
 * Query parameters that simulate faults; every path of an area accepts them in addition to its own.
 */

import { Type } from 'typebox';

export const faultParameters = {
  delay: Type.Optional(
    Type.Number({ minimum: 0, maximum: 10, description: 'Seconds to wait before the response.' }),
  ),
  error: Type.Optional(
    Type.Integer({ minimum: 400, maximum: 599, description: 'Status of a simulated failure.' }),
  ),
  times: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'With error: number of requests that fail. Default: all.',
    }),
  ),
  key: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'With times: groups requests for counting. Default: method and path.',
    }),
  ),
} as const;

const limiting = ['times', 'key'];

/** Returns whether a query parameter simulates faults, and so has no other meaning. */
export function isFaultParameter(name: string, query: object): boolean {
  if (limiting.includes(name)) return Object.hasOwn(query, 'error');
  return Object.hasOwn(faultParameters, name);
}
