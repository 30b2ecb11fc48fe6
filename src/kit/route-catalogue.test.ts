import { METHODS } from 'node:http';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { type Endpoint, endpoint } from './endpoint.js';
import { RouteCatalogue } from './route-catalogue.js';

function catalogue(endpoints: readonly Endpoint[], defaults = {}) {
  const routes = new RouteCatalogue();
  const area = {
    name: 'dice',
    title: 'Dice',
    front: { start: '/' },
    summary: 'Dice.',
    endpoints: () => endpoints,
    defaults,
  };
  routes.add(area, endpoints);
  return routes;
}

const handle = async () => 'x';

test('operations have OpenAPI names', () => {
  const routes = catalogue([endpoint('GET', '/api/dice/:id', { summary: 'Rolls a die', handle })]);
  expect(routes.operations()).toEqual([
    {
      operationId: 'getDiceById',
      area: 'dice',
      method: 'GET',
      methods: ['GET'],
      path: '/api/dice/{id}',
      summary: 'Rolls a die',
    },
  ]);
});

test('HEAD is listed only if the path has no GET', () => {
  const routes = catalogue([
    endpoint('GET', '/both', { handle }),
    endpoint('HEAD', '/alone', { handle }),
  ]);
  expect(routes.operations().map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /both',
    'HEAD /alone',
  ]);
});

test('hidden endpoints, and methods that OpenAPI does not support, are left out', () => {
  const routes = catalogue([
    endpoint('GET', '/hidden', { hide: true, handle }),
    endpoint(['POST', 'PURGE'], '/several', { handle }),
  ]);
  expect(routes.operations().map(({ operationId }) => operationId)).toEqual(['postSeveral']);
});

test('an endpoint of any method is one operation: POST if it reads a body, else GET', () => {
  const routes = catalogue([
    endpoint(METHODS, '/any', { handle }),
    endpoint(METHODS, '/body', { bodies: { 'text/plain': Type.String() }, handle }),
  ]);
  expect(routes.operations().map(({ operationId, method }) => [operationId, method])).toEqual([
    ['getAny', 'ANY'],
    ['postBody', 'ANY'],
  ]);
  expect(routes.routes[0]?.methods).toHaveLength(8);
});

test('an endpoint is open itself, or through its area', () => {
  const endpoints = [
    endpoint('GET', '/closed', { handle }),
    endpoint('GET', '/open', { isOpen: true, handle }),
  ];
  expect(catalogue(endpoints).routes.map(({ isOpen }) => isOpen)).toEqual([false, true]);
  const open = catalogue(endpoints, { isOpen: true });
  expect(open.routes.map(({ isOpen }) => isOpen)).toEqual([true, true]);
});
