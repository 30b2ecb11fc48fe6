/** What the statuses accept and return, and how they are described. */

import { type Static, Type } from 'typebox';
import { anyBody } from '../../../kit/describe/any-body.js';

const querySchema = Type.Object({
  seed: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 4_294_967_295,
      description:
        'The n-th request of a seed in a sandbox of your own always gets the same; without it, chance decides.',
    }),
  ),
  body: Type.Optional(
    Type.String({
      description: 'The body in place of the description; text, unless a header says else.',
    }),
  ),
  header: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'A header as Name:value, repeatable; it replaces one that comes with the status.',
    }),
  ),
  retryAfter: Type.Optional(
    Type.String({ description: 'Retry-After, in seconds or as a date; with any status.' }),
  ),
});

export type StatusQuery = Static<typeof querySchema>;

const statusSchema = Type.Object(
  {
    status: Type.Integer(),
    reason: Type.String({ description: 'As in the status line.' }),
    meaning: Type.String({ description: 'What it says, in a sentence.' }),
    specification: Type.String({ description: 'Where it is specified.' }),
  },
  { title: 'StatusMeaning' },
);

export const giveStatus = {
  summary: 'Get a status, with the header fields that belong to it',
  description:
    'Location with 201 and redirects, WWW-Authenticate with 401, Allow with 405, Proxy-Authenticate with 407, Content-Range with 206 and 416, Upgrade with 426, Retry-After with 429 and 503; no body with 204, 205 and 304. What is no status is 400, and a seed in the shared sandbox 403.',
  params: Type.Object({
    codes: Type.String({
      description: '200 to 599, or several by comma, each with a weight: 200:3,503:1.',
    }),
  }),
  querystring: querySchema,
  described: anyBody,
  response: {
    200: {
      description: 'What the status means, or the body that was asked for.',
      content: {
        'application/json': { schema: statusSchema },
        '*/*': { schema: Type.Unknown() },
      },
    },
    default: {
      description: 'The status that was asked for, with its headers; or any failure.',
      content: { '*/*': { schema: Type.Unknown() } },
    },
  },
};
