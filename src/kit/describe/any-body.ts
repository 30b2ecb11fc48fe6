/** Descriptions for endpoints that accept or send anything. */

import { Type } from 'typebox';
import { secret } from '../endpoint.js';

const anyObject = Type.Unsafe<object>({ type: 'object', additionalProperties: true });

/** A body of any type, or none. */
export const anyBodies = {
  bodies: {
    'application/json': Type.Unknown(),
    'application/x-www-form-urlencoded': anyObject,
    'multipart/form-data': anyObject,
    'text/plain': Type.String(),
    'application/octet-stream': Type.Unknown({ description: 'Any bytes.' }),
  },
  isBodyOptional: true,
} as const;

/** Query parameters of any name and value. */
export const anyQuery = {
  parameters: secret(
    Type.Optional(
      Type.Unsafe<object>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Query parameters of any name and value.',
      }),
    ),
  ),
};

/** A response of any type. */
export const anyContent = (description: string) => ({
  description,
  content: { '*/*': { schema: Type.Unknown() } },
});
