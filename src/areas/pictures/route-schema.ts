/** What the routes of pictures accept and return. */

import { Type } from 'typebox';
import { contentResponseHeaders } from '../../http/caching/content.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import {
  cacheControl,
  contentSecurityPolicy,
  ifNoneMatch,
} from '../../http/schemas/header-schemas.js';

const response = {
  200: {
    description: 'The picture.',
    content: { 'image/svg+xml': { schema: Type.String() } },
  },
  304: Type.Null({ description: 'The caller has it already.' }),
  404: errorSchema,
};

const params = Type.Object({ id: Type.String({ description: 'The id of the record.' }) });

const description = 'An SVG that is always the same for the same record. It can be kept for a day.';

const pictureHeaders = {
  ...cacheControl,
  ...contentSecurityPolicy,
  'Cross-Origin-Resource-Policy': Type.Literal('cross-origin'),
};
const responseHeaders = {
  200: { ...contentResponseHeaders[200], ...pictureHeaders },
  304: { ...contentResponseHeaders[304], ...pictureHeaders },
};

export const routeSchema = (summary: string) => ({
  summary,
  description,
  params,
  described: { headers: ifNoneMatch },
  response,
  responseHeaders,
});
