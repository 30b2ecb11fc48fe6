/** The query parameters that simulate faults: every path of an area takes them beside its own. */

import { Type } from 'typebox';

export const faultParameters = {
  delay: Type.Optional(
    Type.Number({ minimum: 0, maximum: 10, description: 'Seconds to wait before the response.' }),
  ),
  error: Type.Optional(
    Type.Integer({ minimum: 400, maximum: 599, description: 'A status to respond with instead.' }),
  ),
  times: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'With error: how many requests fail, before they pass. All of them without it.',
    }),
  ),
  key: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'With times: what the requests are counted by. Method and path without it.',
    }),
  ),
} as const;

const limiting = ['times', 'key'];

/** Whether a parameter of a query belongs to the simulation of faults, and so names nothing else. */
export function isFaultParameter(name: string, query: object): boolean {
  if (limiting.includes(name)) return Object.hasOwn(query, 'error');
  return Object.hasOwn(faultParameters, name);
}
