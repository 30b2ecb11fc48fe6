import { expect, test } from 'vitest';
import { App } from './app.js';
import type { Area } from './area.js';
import { RouteCatalogue } from './route-catalogue.js';

async function catalogue(addRoutes: (app: App) => void, changes: Partial<Area> = {}) {
  const routes = new RouteCatalogue();
  const area = {
    name: 'dice',
    title: 'Dice',
    front: { start: '/' },
    summary: 'Dice.',
    addRoutes,
    ...changes,
  };
  const app = new App();
  addRoutes(app);
  routes.add(area, app.endpoints);
  return routes;
}

const response = async () => 'x';

test('operations are listed as people write them', async () => {
  const routes = await catalogue((app) => {
    app.get('/api/dice/:id', { schema: { summary: 'Rolls a die' } }, response);
  });
  expect(routes.operations()).toEqual([
    {
      operationId: 'getDiceById',
      area: 'dice',
      method: 'GET',
      path: '/api/dice/{id}',
      summary: 'Rolls a die',
    },
  ]);
});

test('HEAD is listed where it stands alone, and not as the twin of GET', async () => {
  const routes = await catalogue((app) => {
    app.get('/both', {}, response);
    app.head('/alone', {}, response);
  });
  expect(routes.operations().map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /both',
    'HEAD /alone',
  ]);
});

test('what is hidden, and verbs that OpenAPI does not know, are left out', async () => {
  const routes = await catalogue((app) => {
    app.get('/hidden', { schema: { hide: true } }, response);
    app.route(['POST', 'PURGE'], '/several', {}, response);
  });
  expect(routes.operations().map(({ operationId }) => operationId)).toEqual(['postSeveral']);
});

test('a route is open by itself, or as its area is', async () => {
  const addRoutes = (app: App) => {
    app.get('/closed', {}, response);
    app.get('/open', { config: { isOpen: true } }, response);
  };
  expect((await catalogue(addRoutes)).routes.map(({ isOpen }) => isOpen)).toEqual([false, true]);
  const open = await catalogue(addRoutes, { defaults: { isOpen: true } });
  expect(open.routes.map(({ isOpen }) => isOpen)).toEqual([true, true]);
});
