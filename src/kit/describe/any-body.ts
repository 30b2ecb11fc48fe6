/** A body of any type or none, for the description of routes that take whatever comes. */

import { Type } from 'typebox';
import type { DescribedRequest } from '../app.js';

const anyObject = Type.Unsafe<object>({ type: 'object', additionalProperties: true });

export const anyBody: Required<Pick<DescribedRequest, 'body' | 'isBodyOptional'>> = {
  body: {
    'application/json': Type.Unknown(),
    'application/x-www-form-urlencoded': anyObject,
    'multipart/form-data': anyObject,
    'text/plain': Type.String(),
    'application/octet-stream': Type.Unknown({ description: 'Any bytes.' }),
  },
  isBodyOptional: true,
};

/** Query parameters of any name and value. */
export const anyQuery = {
  parameters: Type.Optional(
    Type.Unsafe<object>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Query parameters of any name and value.',
    }),
  ),
};
