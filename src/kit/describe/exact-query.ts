/** Query parameters of routes that take no others: a misspelt one would change nothing, without a word. */

import { type TSchema, Type } from 'typebox';
import { faultParameters } from './fault-parameters.js';

export function exactQuery<Parameters extends Readonly<Record<string, TSchema>>>(
  parameters: Parameters,
) {
  return Type.Object({ ...parameters, ...faultParameters } as Parameters & typeof faultParameters, {
    additionalProperties: false,
  });
}
