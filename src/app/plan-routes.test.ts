import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { methodsOf, planRoutes } from './plan-routes.js';

const response = async () => 'x';

test('routes are noted with their verbs, HEAD beside GET', async () => {
  const { routes } = await planRoutes((app) => {
    app.get('/read', response);
    app.get('/alone', { exposeHeadRoute: false }, response);
    app.route({ method: ['GET', 'HEAD', 'PUT'], url: '/several', handler: response });
    app.delete('/gone', { schema: { summary: 'Goes' }, config: { isOpen: true } }, response);
  });
  expect(routes.map((route) => [route.url, ...methodsOf(route)])).toEqual([
    ['/read', 'GET', 'HEAD'],
    ['/alone', 'GET'],
    ['/several', 'GET', 'HEAD', 'PUT'],
    ['/gone', 'DELETE'],
  ]);
  expect(routes[3]).toMatchObject({ schema: { summary: 'Goes' }, config: { isOpen: true } });
});

test('the framework is told of routes and hooks in their order, once it is asked for', async () => {
  const told: string[] = [];
  const plan = await planRoutes((app) => {
    app.addHook('onRoute', ({ method, url }) => void told.push(`${method} ${url}`));
    app.addHook('onRequest', async ({ url }) => void told.push(`asked for ${url}`));
    app.get('/read', { exposeHeadRoute: false }, response);
  });
  expect(told).toEqual([]);
  const app = Fastify();
  await app.register(async (scope) => plan.addTo(scope));
  await app.inject('/read');
  expect(told).toEqual(['GET /read', 'asked for /read']);
  await app.close();
});

test('what a part has begun ends, also where nobody asked for it', async () => {
  let isOver = false;
  const plan = await planRoutes((app) => {
    app.addHook('onClose', async () => {
      isOver = true;
    });
  });
  await plan.close();
  expect(isOver).toBe(true);
});
