/** What the front page shows of this area. */

import type { Example } from '../../kit/example.js';

export const versioningExamples: readonly Example[] = [
  {
    title: 'Call a deprecated version, and see until when it works',
    method: 'GET',
    path: '/api/v1/profile',
    answer: {
      status: 200,
      headers: ['Deprecation', 'Sunset', 'Link'],
      has: 'rel="successor-version"',
    },
  },
  {
    title: 'Choose a version by media type',
    method: 'GET',
    path: '/api/versioned/profile',
    headers: { Accept: 'application/vnd.service.v2+json' },
    answer: { status: 200, headers: ['X-API-Version-Source'], has: '"apiVersion":"2"' },
  },
];
