/** The areas of data: this service's collections, and collections of callers. A new area is added to this list. */

import { valuesIn } from '#config/setting.js';
import type { Area, ShapedFailures } from '#kit/area.js';
import { ownPathsToken } from '#kit/offers/entries.js';
import { presetToken } from '#kit/offers/front-page.js';
import {
  builtInEndpoints,
  tagRecordOffer,
  writeRecordOffer,
} from './built-in/built-in-endpoints.js';
import { collections } from './built-in/collections.js';
import { jobRequests, sampleRequests } from './built-in/sample-requests.js';
import { problemType, shapeError } from './endpoints/shape-error.js';
import { jsonApiType } from './formats/json-api.js';
import { jsonServerArea } from './json-server/area.js';
import { ownDataSettings } from './own/load/data-file.js';
import { ownStoreOf } from './own/load-store.js';
import { ownEndpoints } from './own/own-endpoints.js';
import { suggestOwnPaths } from './own/suggest-own-paths.js';
import { rejectUnknownParameters } from './source/faults.js';

const defaults = {
  caching: 'negotiated',
  before: rejectUnknownParameters,
} as const;

const headers = { 'X-Sandbox': 'my-suite' };

const collectionsArea: Area = {
  name: 'resources',
  title: 'REST collections',
  guide: 'resources',
  defaults,
  failures: shapedBelow(collections.map(({ path }) => path.toLowerCase())),
  front: {
    group: 'data',
    live: {
      method: 'GET',
      path: '/api/Books/1?fields=title,author',
      shows: [
        'HTTP/1.1 200 OK',
        '',
        '{',
        '  "title": "The Hobbit",',
        '  "author": "J. R. R. Tolkien"',
        '}',
      ],
    },
    start: '/api/Events',
    purposes: [
      {
        purpose: 'tutorial',
        title: 'Thirteen collections',
        says: 'Books, users, products, posts, todos: read and write them, in your own copy.',
        base: '/api',
        line: 'curl -s {base}/api/Books/1',
        links: [['Guide', '/guides/resources']],
      },
    ],
    parts: collections.map(({ name, path, noun }) => ({
      path,
      says: `Each ${noun} by its id`,
      isAlike: name !== 'events' && name !== 'books',
    })),
    examples: () => [
      {
        title: 'Change a record in a private sandbox',
        method: 'PATCH',
        path: '/api/Books/1',
        headers,
        json: { price: 9.5, available: false },
        response: { status: 200, has: '"price":9.5,' },
      },
      {
        title: 'Filter, sort and limit a list',
        method: 'GET',
        path: '/api/Events?category=Music&price_lte=60&sort=-startsAt&limit=2',
        response: { status: 200, headers: ['X-Total-Count', 'Link'], has: '"category":"Music"' },
      },
      {
        title: 'Send invalid fields and see an error for each',
        method: 'POST',
        path: '/api/Events',
        json: { name: '', startsAt: 'tomorrow', endsAt: '2030-01-01T00:00:00Z', price: -1 },
        response: { status: 400, has: '"field":"startsAt"' },
      },
    ],
  },
  summary: `${collections.map(({ title }) => title).join(', ')}: filters, search, sorting, paging, entity tags and writes.`,
  postman: [...collections.map(sampleRequests), jobRequests],
  offers: [
    writeRecordOffer,
    tagRecordOffer,
    presetToken.of(() => ({ title: 'a book', method: 'GET', path: '/api/Books/19' })),
  ],
  endpoints: builtInEndpoints,
};

const ownDataArea = {
  name: 'my',
  title: 'Your own data',
  guide: 'own-data',
  defaults,
  failures: shapedBelow(['/my']),
  front: {
    group: 'data',
    start: '/my',
    page: { path: '/my' },
    purposes: [
      {
        purpose: 'tutorial',
        title: 'Your own data',
        says: 'Any db.json as an API: with filters, relations and validation.',
        base: '/my',
        line: `curl -s -X PUT {base}/api/sandbox/data -H 'Content-Type: application/json' -d '{"posts":[{"id":1,"title":"Hello"}]}'`,
        links: [
          ['Page', '/my'],
          ['Guide', '/guides/own-data'],
        ],
      },
    ],
    banner: (baseUrl, config) => {
      const { data } = valuesIn(config, ownDataSettings);
      return data && ['Your data', `${baseUrl}/my`];
    },
    examples: () => [
      {
        title: 'Load your own data',
        method: 'PUT',
        path: '/api/sandbox/data',
        headers,
        json: { posts: [{ id: 1, title: 'Hello' }], comments: [{ id: 1, postId: 1, text: 'Hi' }] },
        response: { status: 200, has: '"posts":1' },
      },
      {
        title: 'See how it is served',
        method: 'GET',
        path: '/my',
        headers,
        response: { status: 200, has: '"collections"' },
      },
    ],
  },
  summary:
    'REST collections from your JSON. Accepts a json-server db.json unchanged; only your sandbox sees it.',
  settings: ownDataSettings,
  postman: [{ endings: ['deleteMyByCollectionById', 'deleteSandboxData'] }],
  offers: [ownPathsToken.of(({ runtime }) => suggestOwnPaths(ownStoreOf(runtime)))],
  endpoints: ownEndpoints,
} as const satisfies Area;

/** Sends errors as problem details or in the form of JSON:API, to clients that accept those. */
function shapedBelow(below: readonly string[]): ShapedFailures {
  return { negotiated: { below, types: [problemType, jsonApiType] }, shape: shapeError };
}

export const resourceAreas = [collectionsArea, ownDataArea, jsonServerArea] as const;
