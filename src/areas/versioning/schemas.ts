/** What the routes of versioning accept and return. */

import { Type } from 'typebox';
import { errorSchema } from '../../http/schemas/error-schema.js';
import { optional, vary } from '../../http/schemas/header-schemas.js';
import {
  latestVersion,
  mediaTypeOf,
  precedence,
  supportedVersions,
  type Version,
} from './choose-version.js';

const v1Schema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    email: Type.String(),
    phone: Type.String(),
    address: Type.String(),
    memberSince: Type.String({ description: 'YYYY-MM-DD' }),
  },
  { title: 'ProfileV1' },
);

const v2Schema = Type.Object(
  {
    id: Type.Integer(),
    firstName: Type.String(),
    lastName: Type.String(),
    displayName: Type.String(),
    contact: Type.Object({
      email: Type.String(),
      phone: Type.Object({ countryCode: Type.String(), number: Type.String() }),
    }),
    address: Type.Object({
      street: Type.String(),
      city: Type.String(),
      state: Type.String(),
      postalCode: Type.String(),
      country: Type.String(),
    }),
    preferences: Type.Object({
      language: Type.String(),
      timezone: Type.String(),
      newsletter: Type.Boolean(),
    }),
    createdAt: Type.String({ description: 'ISO 8601 in UTC.' }),
    apiVersion: Type.String(),
  },
  { title: 'ProfileV2' },
);

const schemas = { '1': v1Schema, '2': v2Schema } as const;

const unsupportedSchema = Type.Object({
  ...errorSchema.properties,
  source: Type.String({ description: 'What selected the version.' }),
  supportedVersions: Type.Array(Type.String()),
});

const versionsSchema = Type.Object({
  current: Type.String(),
  supported: Type.Array(
    Type.Object({
      version: Type.String(),
      status: Type.String({ enum: ['current', 'deprecated'] }),
      sunset: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'When it will be removed, ISO 8601 in UTC; null while that is not planned.',
      }),
      url: Type.String(),
    }),
  ),
  negotiation: Type.Object({
    path: Type.String(),
    header: Type.String(),
    query: Type.String(),
    accept: Type.String(),
    precedence: Type.Array(Type.String()),
  }),
});

const versionHeaders = {
  'X-API-Version': Type.String({ enum: [...supportedVersions] }),
  'X-API-Version-Source': Type.String({
    enum: ['path', ...precedence],
    description: 'What decided about the version.',
  }),
};

/** Of a version that ends. */
const endHeaders = {
  Deprecation: Type.String({
    pattern: '^@\\d+$',
    description: 'Since when it is deprecated: @ and Unix seconds (RFC 9745).',
  }),
  Sunset: Type.String({ description: 'When it will be removed, as an HTTP date (RFC 8594).' }),
  Link: Type.String({ description: 'Its successor (RFC 5829).' }),
};

export const readByPath = (version: Version) => ({
  summary: `Get the profile in version ${version}`,
  description: 'The path alone decides about the version; headers and query are not looked at.',
  deprecated: version !== latestVersion,
  response: { 200: schemas[version] },
  responseHeaders: {
    200: { ...versionHeaders, ...(version !== latestVersion && endHeaders) },
    400: versionHeaders,
  },
});

export const readChosen = {
  summary: 'Get the profile in the version you select',
  description: `The header X-API-Version decides, then the query parameter api-version, then Accept: ${supportedVersions.map(mediaTypeOf).join(' or ')}. The default is the latest.`,
  headers: Type.Object({
    'x-api-version': Type.Optional(Type.String({ description: '1 or 2.' })),
  }),
  querystring: Type.Object({
    'api-version': Type.Optional(
      Type.Unsafe<string | string[]>({
        type: ['string', 'array'],
        items: { type: 'string' },
        description: 'Such as 1, 2, v2 or 2.0.',
      }),
    ),
  }),
  response: {
    200: {
      content: {
        'application/json': { schema: Type.Unsafe<object>({ anyOf: [v1Schema, v2Schema] }) },
        [mediaTypeOf('1')]: { schema: v1Schema },
        [mediaTypeOf('2')]: { schema: v2Schema },
      },
    },
    400: unsupportedSchema,
  },
  responseHeaders: {
    200: {
      ...versionHeaders,
      ...vary,
      ...optional(endHeaders),
    },
    400: { ...versionHeaders, Vary: Type.Optional(vary.Vary) },
  },
};

export const listVersions = {
  summary: 'List the versions, and how to choose one',
  description: 'Which is current, which will be removed and when, and how to select one.',
  response: { 200: versionsSchema },
};
