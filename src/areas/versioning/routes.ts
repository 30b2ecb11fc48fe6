/**
 * One resource in two versions, chosen by path, header, query or media type. The old one announces
 * its end: Deprecation (RFC 9745), Sunset (RFC 8594) and a link to its successor (RFC 5829).
 */

import { prefixOf } from '../../http/address/sandbox-address.js';
import { addVary } from '../../http/caching/caching.js';
import type { Reply, Request } from '../../http/exchange.js';
import { HttpError, jsonContentType } from '../../http/http-error.js';
import type { Area, Services } from '../../kit/area.js';
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
import { listVersions, readByPath, readChosen } from './schemas.js';

const deprecatedAt = new Date('2026-07-01T00:00:00Z');
const sunsetAt = new Date('2027-12-31T23:59:59Z');

const profiles = { '1': toProfileV1(profile), '2': toProfileV2(profile) } as const;

const pathOf = (version: Version) => `/api/v${version}/profile`;
const versionedPath = '/api/versioned/profile';

export const versioningArea: Area = {
  name: 'versioning',
  title: 'Versioning',
  guide: 'versioning',
  defaults: {
    caching: 'revalidate',
    headers: [
      ...supportedVersions.map((version) => ({
        below: `/api/v${version}`,
        values: versionHeadersOf(version, 'path'),
      })),
      { below: '/api/versioned', values: chosenHeadersOf },
    ],
  },
  front: {
    start: '/api/versions',
    examples: () => versioningExamples,
    presets: [{ title: 'an old version', method: 'GET', path: '/api/v1/profile' }],
  },
  summary: 'One resource in two versions, chosen by path, header, query or media type.',
  addRoutes(app, services) {
    const handle = createHandlers(services);
    for (const version of supportedVersions) {
      const schema = readByPath(version);
      app.get(pathOf(version), { schema }, handle.readByPath(version));
    }
    app.get(versionedPath, { schema: readChosen }, handle.readChosen);
    app.get('/api/versions', { schema: listVersions }, handle.listVersions);
  },
};

function createHandlers({ baseUrlOf }: Services) {
  function sendProfile(
    request: Request,
    reply: Reply,
    version: Version,
    contentType: string,
  ): Reply {
    if (version !== latestVersion) {
      const successor = `${baseUrlOf(request)}${pathOf(latestVersion)}`;
      reply
        .header('deprecation', `@${deprecatedAt.getTime() / 1000}`)
        .header('sunset', sunsetAt.toUTCString())
        .header('link', `<${successor}>; rel="successor-version"`);
    }
    // With a serializer of its own, the vendor's type gets no charset.
    return reply
      .header('content-type', contentType)
      .serializer(JSON.stringify)
      .send(profiles[version]);
  }

  return {
    readByPath: (version: Version) => async (request: Request, reply: Reply) =>
      sendProfile(request, reply, version, jsonContentType),

    async readChosen(request: Request, reply: Reply) {
      addVary(reply, 'X-API-Version, Accept');
      const { version, mediaType } = chooseVersion(versionRequestOf(request));
      return sendProfile(request, reply, version, mediaType ?? jsonContentType);
    },

    async listVersions(request: Request) {
      return {
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
          path: supportedVersions
            .map((version) => prefixOf(request.raw) + pathOf(version))
            .join(' or '),
          header: 'X-API-Version: 1 or 2',
          query: 'api-version=1 or 2; v2 and 2.0 are understood as well',
          accept: supportedVersions.map(mediaTypeOf).join(' or '),
          precedence: [...precedence],
        },
      };
    },
  };
}

function versionHeadersOf(version: Version, source: string): Record<string, string> {
  return { 'x-api-version': version, 'x-api-version-source': source };
}

/** Those of failures, too; one that asks for a version that there is not comes in the latest. */
function chosenHeadersOf(request: Request): Record<string, string> {
  try {
    const { version, source } = chooseVersion(versionRequestOf(request));
    return versionHeadersOf(version, source);
  } catch (error) {
    if (error instanceof HttpError) return versionHeadersOf(latestVersion, 'default');
    throw error;
  }
}

function versionRequestOf({ headers, query }: Request): VersionRequest {
  return {
    header: headers['x-api-version'] as string | undefined,
    query: (query as Record<string, string | undefined> | undefined)?.['api-version'],
    accept: headers.accept,
  };
}
