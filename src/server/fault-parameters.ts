/** The query parameters that simulate faults: every path of an area takes them beside its own. */

import { Type } from 'typebox';

export const faultParameters = {
  delay: Type.Optional(
    Type.Number({ minimum: 0, maximum: 10, description: 'Seconds to wait before the answer.' }),
  ),
  error: Type.Optional(
    Type.Integer({ minimum: 400, maximum: 599, description: 'A status to answer with instead.' }),
  ),
} as const;

/** Whether a parameter of that name belongs to the simulation of faults, and so names nothing else. */
export function isFaultParameter(name: string): boolean {
  return Object.hasOwn(faultParameters, name);
}
