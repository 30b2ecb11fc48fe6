/** The practice APIs that tutorials name, at their own paths. */

import type { Request } from '#http/exchange.js';
import type { Area } from '#kit/area.js';
import { credentialHeaders } from '#kit/cors-credentials.js';
import { fixedHeadersToken, ownPortToken, tutorialHintToken } from '#kit/offers/entries.js';
import { readOptions, setOptions } from './dialect/options.js';
import { dialects } from './dialects.js';
import { listDialects } from './list.js';
import { endpointsOf } from './serve.js';

const wordsOfDummyjson =
  /^\/api(\/(?:products|posts|todos|users)\/(?:search|random|add|categor(?:ies|y-list))(?:\?.*)?)$/i;

/**
 * Users of this service have the same path as ReqRes, which its tutorials write in lower case. DummyJSON has words where
 * a collection of this service has an id.
 */
function findAlternate({ url, method, raw }: Request) {
  if (raw.mount !== undefined) return undefined;
  if (method === 'GET' && /^\/api\/users(?:\/\d+)?(?:\?|$)/.test(url)) {
    return { title: 'ReqRes', base: '/reqres', path: `/reqres${url}` };
  }
  const [, path] = wordsOfDummyjson.exec(url) ?? [];
  if (path === undefined) return undefined;
  return { title: 'DummyJSON', base: '/dummyjson', path: `/dummyjson${path}` };
}

const headers = { 'X-Sandbox': 'my-tutorial' };

export const practiceApisArea = {
  name: 'practice-apis',
  title: 'Practice APIs of tutorials',
  guide: 'practice-apis',
  summary: `${dialects.map(({ title }) => title).join(', ')}: change the base URL of a tutorial, and it works offline.`,
  front: {
    group: 'data',
    start: '/api/practice-apis',
    purposes: dialects.map(({ name, title, summary, first, bases: [base = ''], description }) => ({
      purpose: 'tutorial' as const,
      title,
      says: summary,
      base,
      isNamed: true,
      line: `curl -s {base}${base}${first}`,
      links: [
        ['Guide', `/guides/practice-apis/${name}`],
        ['Description', description],
      ] as const,
    })),
    parts: dialects.map(({ name, title }) => ({
      path: `/${name}`,
      says: title,
      guide: `practice-apis/${name}`,
    })),
    examples: () => [
      {
        title: 'Get a todo, as in the tutorial of JSONPlaceholder',
        method: 'GET',
        path: '/jsonplaceholder/todos/1',
        response: { status: 200, has: '"completed"' },
      },
      {
        title: 'Keep what a tutorial creates',
        method: 'PUT',
        path: '/api/sandbox/practice-apis',
        headers,
        json: { keepWrites: true },
        response: { status: 200, has: '"keepWrites":true' },
      },
    ],
  },
  offers: [
    ...dialects.map(({ name }) =>
      fixedHeadersToken.of(() => ({
        below: `/${name}`,
        values: (request) => credentialHeaders(request, true),
      })),
    ),
    ownPortToken.of(() => dialects.map(({ name }) => ({ name, prefix: `/${name}` }))),
    fixedHeadersToken.of(() => ({
      below: '/api/users',
      values(request): Readonly<Record<string, string>> {
        const found = findAlternate(request);
        return found ? { link: `<${request.baseUrl}${found.path}>; rel="alternate"` } : {};
      },
    })),
    tutorialHintToken.of(() => ({
      findAlternate,
      below: dialects.map(({ name }) => `/${name}`),
      routes: dialects.flatMap(({ routes, description }) => [...routes, description]),
      find: (path) =>
        dialects
          .filter(({ hints }) => hints.test(path))
          .map(({ title, bases: [base = ''] }) => ({ title, base })),
    })),
  ],
  endpoints: (services) => [
    listDialects(dialects),
    readOptions,
    setOptions,
    ...dialects.flatMap((dialect) => endpointsOf(dialect, services)),
  ],
} as const satisfies Area;
