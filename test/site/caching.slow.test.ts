/** Responses of every page, file and asset to HEAD, and to clients that have it already. */

import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pageNames, pathsOf } from '../../src/kit/pages/pages.js';
import { useService } from '../support/service.js';

const service = useService();
const assets = readdirSync(new URL('../../dist/pages/assets/', import.meta.url));

const revalidated = 'no-cache';
const aDay = 'public, max-age=86400';
const forever = 'public, max-age=31536000, immutable';

const resources: readonly (readonly [path: string, cacheControl: string])[] = [
  // Pages of areas first, then pages with other paths.
  ['/', revalidated],
  ['/graphql', revalidated],
  ['/guides', revalidated],
  ['/guides/auth/basic', revalidated],
  ...pageNames.flatMap(pathsOf).map((path) => [path, revalidated] as const),
  ['/llms.txt', revalidated],
  ['/openapi.json', revalidated],
  ['/openapi.yaml', revalidated],
  ['/downloads/practice-api.postman_collection.json', revalidated],
  ['/downloads/practice-api.http', revalidated],
  ['/favicon.ico', aDay],
  ['/robots.txt', aDay],
  ...assets.map((name) => [`/assets/${name}`, forever] as const),
];

test.each(resources)('%s: %s', async (path, cacheControl) => {
  for (const encoding of ['identity', 'gzip', 'br']) {
    const headers = { Accept: 'text/html,*/*;q=0.8', 'Accept-Encoding': encoding };
    const get = await service.send(`GET ${path}`, { headers });
    expect(get.status).toBe(200);
    expect(get.headers['cache-control']).toBe(cacheControl);
    expect(get.headers['x-content-type-options']).toBe('nosniff');
    expect(get.headers['content-length']).toBe(String(get.bytes.length));
    expect(get.headers.etag).toMatch(/^"[\w-]+"$/);

    const head = await service.send(`HEAD ${path}`, { headers });
    expect(head.status).toBe(200);
    for (const name of ['content-type', 'content-length', 'content-encoding', 'etag', 'vary']) {
      expect(head.headers[name], name).toBe(get.headers[name]);
    }

    for (const method of ['GET', 'HEAD']) {
      const again = await service.send(`${method} ${path}`, {
        headers: { ...headers, 'If-None-Match': String(get.headers.etag) },
      });
      expect(again.status).toBe(304);
      expect(again.headers.etag).toBe(get.headers.etag);
      expect(again.headers['cache-control']).toBe(cacheControl);
      expect(again.headers.vary).toBe(get.headers.vary);
    }
  }
});
