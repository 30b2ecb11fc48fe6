/** One resource in two versions. */

import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import type { Area } from '#kit/area.js';
import { fixedHeadersToken } from '#kit/offers/entries.js';
import { chooseVersion, latestVersion, supportedVersions, type Version } from './choose-version.js';
import { versioningEndpoints, versionRequestOf } from './endpoints.js';

export const versioningArea: Area = {
  name: 'versioning',
  title: 'Versioning',
  guide: 'versioning',
  summary: 'One resource in two versions, selected by path, header, query or media type.',
  front: {
    group: 'http',
    start: '/api/versions',
    examples: () => [
      {
        title: 'Call a deprecated version, and see its sunset date',
        method: 'GET',
        path: '/api/v1/profile',
        response: {
          status: 200,
          headers: ['Deprecation', 'Sunset', 'Link'],
          has: 'rel="successor-version"',
        },
      },
      {
        title: 'Select a version by media type',
        method: 'GET',
        path: '/api/versioned/profile',
        headers: { Accept: 'application/vnd.service.v2+json' },
        response: { status: 200, headers: ['X-API-Version-Source'], has: '"apiVersion":"2"' },
      },
    ],
  },
  defaults: {
    caching: 'revalidate',
  },
  offers: [
    ...supportedVersions.map((version) =>
      fixedHeadersToken.of(() => ({
        below: `/api/v${version}`,
        values: headersOf(version, 'path'),
      })),
    ),
    fixedHeadersToken.of(() => ({ below: '/api/versioned', values: chosenHeadersOf })),
  ],
  endpoints: () => versioningEndpoints,
};

function headersOf(version: Version, source: string): Record<string, string> {
  return { 'x-api-version': version, 'x-api-version-source': source };
}

/** Errors have these headers, too. A request for an unsupported version counts as a request for the latest. */
function chosenHeadersOf(request: Request): Record<string, string> {
  try {
    const { version, source } = chooseVersion(versionRequestOf(request));
    return headersOf(version, source);
  } catch (error) {
    if (error instanceof HttpError) return headersOf(latestVersion, 'default');
    throw error;
  }
}
