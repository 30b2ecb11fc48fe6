/**
 * One resource in two versions, chosen by path, header, query or media type. The old one announces
 * its end: Deprecation (RFC 9745), Sunset (RFC 8594) and a link to its successor (RFC 5829).
 */

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Area } from '../../server/area.js';
import { addVary } from '../../server/caching.js';
import { jsonContentType } from '../../server/error-handler.js';
import { errorSchema } from '../../server/error-schema.js';
import { optional, vary } from '../../server/header-schemas.js';
import { HttpError } from '../../server/http-error.js';
import {
  chooseVersion,
  latestVersion,
  mediaTypeOf,
  precedence,
  supportedVersions,
  type Version,
  type VersionRequest,
} from './choose-version.js';
import { versioningExamples } from './examples.js';
import { profile, toProfileV1, toProfileV2 } from './profile.js';

const deprecatedAt = new Date('2026-07-01T00:00:00Z');
const sunsetAt = new Date('2027-12-31T23:59:59Z');

const profiles = { '1': toProfileV1(profile), '2': toProfileV2(profile) } as const;

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
  source: Type.String({ description: 'What asked for the version.' }),
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
        description: 'When it ends, ISO 8601 in UTC; null while no end is planned.',
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
  Sunset: Type.String({ description: 'When it ends, as an HTTP date (RFC 8594).' }),
  Link: Type.String({ description: 'Its successor (RFC 5829).' }),
};

const pathOf = (version: Version) => `/api/v${version}/profile`;
const versionedPath = '/api/versioned/profile';

export const versioningArea: Area = {
  name: 'versioning',
  title: 'Versioning',
  caching: 'revalidate',
  start: '/api/versions',
  summary: 'One resource in two versions, chosen by path, header, query or media type.',
  examples: () => versioningExamples,
  fixedHeaders: [
    ...supportedVersions.map((version) => ({
      below: `/api/v${version}`,
      values: versionHeadersOf(version, 'path'),
    })),
    { below: '/api/versioned', values: chosenHeadersOf },
  ],
  presets: [{ title: 'an old version', method: 'GET', path: '/api/v1/profile' }],

  addRoutes(app, { baseUrlOf }) {
    for (const version of supportedVersions) {
      app.route({
        method: 'GET',
        url: pathOf(version),
        schema: {
          summary: `Reads the profile in version ${version}`,
          description:
            'The path alone decides about the version; headers and query are not looked at.',
          deprecated: version !== latestVersion,
          response: { 200: schemas[version] },
          responseHeaders: {
            200: { ...versionHeaders, ...(version !== latestVersion && endHeaders) },
            400: versionHeaders,
          },
        },
        handler: async (request, reply: FastifyReply) =>
          sendProfile(request, reply, version, jsonContentType),
      });
    }

    app.route({
      method: 'GET',
      url: versionedPath,
      schema: {
        summary: 'Reads the profile in the version that the request asks for',
        description: `The header X-API-Version decides, then the query parameter api-version, then Accept: ${supportedVersions.map(mediaTypeOf).join(' or ')}. Without any of them it is the latest.`,
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
      },
      handler: async (request, reply: FastifyReply) => {
        addVary(reply, 'X-API-Version, Accept');
        const { version, mediaType } = chooseVersion(versionRequestOf(request));
        return sendProfile(request, reply, version, mediaType ?? jsonContentType);
      },
    });

    app.get(
      '/api/versions',
      {
        schema: {
          summary: 'Lists the versions and how to choose one',
          description: 'Which is current, which ends and when, and what can ask for one.',
          response: { 200: versionsSchema },
        },
      },
      async (request) => ({
        current: latestVersion,
        supported: supportedVersions.map((version) => {
          const isCurrent = version === latestVersion;
          return {
            version,
            status: isCurrent ? 'current' : 'deprecated',
            sunset: isCurrent ? null : sunsetAt.toISOString(),
            url: `${baseUrlOf(request)}${pathOf(version)}`,
          };
        }),
        negotiation: {
          path: supportedVersions.map(pathOf).join(' or '),
          header: 'X-API-Version: 1 or 2',
          query: 'api-version=1 or 2; v2 and 2.0 are understood as well',
          accept: supportedVersions.map(mediaTypeOf).join(' or '),
          precedence: [...precedence],
        },
      }),
    );

    function sendProfile(
      request: FastifyRequest,
      reply: FastifyReply,
      version: Version,
      contentType: string,
    ): FastifyReply {
      if (version !== latestVersion) {
        const successor = `${baseUrlOf(request)}${pathOf(latestVersion)}`;
        reply
          .header('deprecation', `@${deprecatedAt.getTime() / 1000}`)
          .header('sunset', sunsetAt.toUTCString())
          .header('link', `<${successor}>; rel="successor-version"`);
      }
      // By a serializer of its own, because the framework would add a charset to the vendor's type.
      return reply
        .header('content-type', contentType)
        .serializer(JSON.stringify)
        .send(profiles[version]);
    }
  },
};

function versionHeadersOf(version: Version, source: string): Record<string, string> {
  return { 'x-api-version': version, 'x-api-version-source': source };
}

/** Those of failures, too; one that asks for a version that there is not comes in the latest. */
function chosenHeadersOf(request: FastifyRequest): Record<string, string> {
  try {
    const { version, source } = chooseVersion(versionRequestOf(request));
    return versionHeadersOf(version, source);
  } catch (error) {
    if (error instanceof HttpError) return versionHeadersOf(latestVersion, 'default');
    throw error;
  }
}

function versionRequestOf({ headers, query }: FastifyRequest): VersionRequest {
  return {
    header: headers['x-api-version'] as string | undefined,
    query: (query as Record<string, string | undefined> | undefined)?.['api-version'],
    accept: headers.accept,
  };
}
