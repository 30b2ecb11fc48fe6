/** The shape of OAuth errors (RFC 6749 section 5.2), for the description of routes. */

import { Type } from 'typebox';
import { errorSchema } from '../../kit/describe/error-schema.js';

export const oauthErrorSchema = Type.Object(
  {
    ...errorSchema.properties,
    error: Type.String({ description: 'The error code of RFC 6749 section 5.2.' }),
    error_description: Type.String(),
  },
  { title: 'OAuthError' },
);
