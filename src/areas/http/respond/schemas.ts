/** What scripted responses take, and how they are described. */

import { Type } from 'typebox';
import { errorSchema } from '../../../http/schemas/error-schema.js';
import { location } from '../../../http/schemas/header-schemas.js';
import { anyBody } from '../../../kit/describe/any-body.js';
import { scriptSchema } from './script.js';

const params = Type.Object({
  name: Type.String({
    pattern: '^[\\w.-]{1,64}$',
    description: '1 to 64 letters, digits, dots, underscores and hyphens.',
  }),
});

const keptSchema = Type.Object({
  name: Type.String(),
  url: Type.String({
    description: 'Every method but PUT and DELETE gets the scripted response.',
  }),
});

const freely = {
  200: {
    description: 'What the script says.',
    content: { '*/*': { schema: Type.Unknown() } },
  },
  default: {
    description: 'Whatever status the script has; and any failure.',
    content: { '*/*': { schema: Type.Unknown() } },
  },
};

export const respond = {
  summary: 'Respond as the request says',
  description:
    'The script is the JSON body, or stands in the query for methods without one. What is sent cannot act as a page of this service.',
  querystring: Type.Object({
    script: Type.Optional(
      Type.String({ description: 'The script as JSON, in base64url; the body is yours then.' }),
    ),
  }),
  described: {
    body: { 'application/json': scriptSchema },
    isBodyOptional: true as const,
  },
  response: freely,
};

export const define = {
  summary: 'Store a scripted response under a name',
  description: 'In a sandbox of your own. Beyond 100 of them, the oldest is deleted.',
  params,
  body: scriptSchema,
  response: {
    200: keptSchema,
    201: keptSchema,
    400: errorSchema,
    403: errorSchema,
    413: errorSchema,
    415: errorSchema,
  },
  responseHeaders: { 201: location },
};

export const remove = {
  summary: 'Delete a scripted response',
  description: 'Its address responds with 404 from then on.',
  params,
  response: { 204: { type: 'null' }, 403: errorSchema, 404: errorSchema },
};

export const respondAsNamed = {
  summary: 'Respond as the stored script says',
  description: 'To every method but PUT and DELETE; 404 where nothing is kept.',
  params,
  described: anyBody,
  response: freely,
};
