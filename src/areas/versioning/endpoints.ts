/** One resource in two versions. The old one announces its end: RFC 9745, RFC 8594 and RFC 5829. */

import { Type } from 'typebox';
import { prefixOf } from '#http/address/sandbox-address.js';
import { addVary } from '#http/caching/caching.js';
import type { Reply, Request } from '#http/exchange.js';
import { jsonContentType } from '#http/http-error.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import { optional, vary } from '#http/schemas/header-schemas.js';
import { endpoint, openExceptTypos } from '#kit/endpoint.js';
import {
  chooseVersion,
  latestVersion,
  mediaTypeOf,
  precedence,
  supportedVersions,
  type Version,
  type VersionRequest,
} from './choose-version.js';
import { profileSchemas, profiles } from './profile.js';

const deprecatedAt = new Date('2026-07-01T00:00:00Z');
const sunsetAt = new Date('2027-12-31T23:59:59Z');

const pathOf = (version: Version) => `/api/v${version}/profile`;

const versionHeaders = {
  'X-API-Version': Type.String({ enum: [...supportedVersions] }),
  'X-API-Version-Source': Type.String({
    enum: ['path', ...precedence],
    description: 'What selected the version.',
  }),
};

const endHeaders = {
  Deprecation: Type.String({
    pattern: '^@\\d+$',
    description: 'Date of deprecation: @ and Unix seconds (RFC 9745).',
  }),
  Sunset: Type.String({ description: 'Date of removal, as an HTTP date (RFC 8594).' }),
  Link: Type.String({ description: 'Link to the successor (RFC 5829).' }),
};

const readByPath = (version: Version) =>
  endpoint('GET', pathOf(version), {
    summary: `Get the profile in version ${version}`,
    description: 'Only the path selects the version; headers and query are ignored.',
    deprecated: version !== latestVersion,
    responses: { 200: profileSchemas[version] },
    responseHeaders: {
      200: { ...versionHeaders, ...(version !== latestVersion && endHeaders) },
      400: versionHeaders,
    },
    examples: { [version === latestVersion ? 'The new version' : 'The old version']: {} },
    handle: (_request, reply) => sendProfile(reply, version, jsonContentType),
  });

const readChosen = endpoint('GET', '/api/versioned/profile', {
  summary: 'Get the profile in the version you select',
  description: `X-API-Version has priority, then the query parameter api-version, then Accept: ${supportedVersions.map(mediaTypeOf).join(' or ')}. The default is the latest.`,
  headers: { 'x-api-version': Type.Optional(Type.String({ description: '1 or 2.' })) },
  query: openExceptTypos({
    'api-version': Type.Optional(
      Type.Unsafe<string | string[]>({
        type: ['string', 'array'],
        items: { type: 'string' },
        description: 'Such as 1, 2, v2 or 2.0.',
      }),
    ),
  }),
  responses: {
    200: {
      content: {
        'application/json': {
          schema: Type.Unsafe<object>({ anyOf: Object.values(profileSchemas) }),
        },
        [mediaTypeOf('1')]: { schema: profileSchemas['1'] },
        [mediaTypeOf('2')]: { schema: profileSchemas['2'] },
      },
    },
    400: Type.Object({
      ...errorSchema.properties,
      source: Type.String({ description: 'What selected the version.' }),
      supportedVersions: Type.Array(Type.String()),
    }),
  },
  responseHeaders: {
    200: { ...versionHeaders, ...vary, ...optional(endHeaders) },
    400: { ...versionHeaders, Vary: Type.Optional(vary.Vary) },
  },
  examples: {
    'The latest version': {},
    'By header': { headers: { 'X-API-Version': '1' } },
    'By query': { query: { 'api-version': 'v1' } },
    'Version 1 by media type': { headers: { Accept: mediaTypeOf('1') } },
    'Version 2 by media type': { headers: { Accept: mediaTypeOf('2') } },
    'An unknown version': { headers: { 'X-API-Version': '3' } },
  },
  handle(request, reply) {
    addVary(reply, 'X-API-Version, Accept');
    const { version, mediaType = jsonContentType } = chooseVersion(versionRequestOf(request));
    return sendProfile(reply, version, mediaType);
  },
});

const listVersions = endpoint('GET', '/api/versions', {
  summary: 'List the versions, and how to select one',
  description: 'Which version is current, which will be removed and when, and how to select one.',
  responses: {
    200: Type.Object({
      current: Type.String(),
      supported: Type.Array(
        Type.Object({
          version: Type.String(),
          status: Type.String({ enum: ['current', 'deprecated'] }),
          sunset: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            description: 'Date of removal, ISO 8601 in UTC; null if none is planned.',
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
    }),
  },
  examples: { 'All versions': {} },
  handle: (request) => ({
    current: latestVersion,
    supported: supportedVersions.map((version) => ({
      version,
      status: version === latestVersion ? 'current' : 'deprecated',
      sunset: version === latestVersion ? null : sunsetAt.toISOString(),
      url: `${request.baseUrl}${pathOf(version)}`,
    })),
    negotiation: {
      path: supportedVersions
        .map((version) => prefixOf(request.raw) + pathOf(version))
        .join(' or '),
      header: 'X-API-Version: 1 or 2',
      query: 'api-version=1 or 2; v2 and 2.0 work as well',
      accept: supportedVersions.map(mediaTypeOf).join(' or '),
      precedence,
    },
  }),
});

export const versioningEndpoints = [...supportedVersions.map(readByPath), readChosen, listVersions];

export function versionRequestOf({ headers, query }: Request): VersionRequest {
  return {
    header: headers['x-api-version'] as string | undefined,
    query: (query as Record<string, string | undefined> | undefined)?.['api-version'],
    accept: headers.accept,
  };
}

function sendProfile(reply: Reply, version: Version, contentType: string): Reply {
  if (version !== latestVersion) {
    const successor = `${reply.request.baseUrl}${pathOf(latestVersion)}`;
    reply
      .header('deprecation', `@${deprecatedAt.getTime() / 1000}`)
      .header('sunset', sunsetAt.toUTCString())
      .header('link', `<${successor}>; rel="successor-version"`);
  }
  // Its own serializer keeps the framework from adding a charset to the type.
  return reply
    .header('content-type', contentType)
    .serializer(JSON.stringify)
    .send(profiles[version]);
}
