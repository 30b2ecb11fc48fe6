import { describe, expect, test } from 'vitest';
import { endpoint } from '#kit/endpoint.js';
import { Router } from './router.js';

function routerOf(...paths: readonly string[]): Router<string> {
  const router = new Router<string>();
  router.add(
    paths.map((path) => endpoint('GET', path, { handle: () => null })),
    ({ path }) => path,
  );
  return router;
}

describe('find', () => {
  const router = routerOf('/my', '/my/:collection', '/my/:collection/:id', '/any/*', '/:binId');
  test.each([
    ['/my', '/my', {}],
    ['/my?a=:b', '/my', {}],
    ['/my/', '/my', {}],
    ['/MY', '/my', {}],
    ['/my/books', '/my/:collection', { collection: 'books' }],
    // Targets that spell a pattern
    ['/my/:collection', '/my/:collection', { collection: ':collection' }],
    ['/my/:collection?a=1', '/my/:collection', { collection: ':collection' }],
    ['/my/:collection/:id', '/my/:collection/:id', { collection: ':collection', id: ':id' }],
    ['/any/*', '/any/*', { '*': '*' }],
    ['/:binId', '/:binId', { binId: ':binId' }],
    // Names of JavaScript's objects
    ['/__proto__', '/:binId', { binId: '__proto__' }],
    ['/my/constructor', '/my/:collection', { collection: 'constructor' }],
  ])('%s is %s', (target, path, params) => {
    const found = router.find(target);
    expect(found).toMatchObject({ place: { path } });
    expect({ ...(found as { params: object }).params }).toEqual(params);
  });

  test.each(['/other/:collection', '/my/:collection/:id/:more'])('%s is unknown', (target) => {
    expect(router.find(target)).toBeUndefined();
  });
});
