import { expect, test } from 'vitest';
import { useService } from './support/service.js';

const service = useService();

test('GET / lists the areas with URLs that work', async () => {
  const { status, json } = await service.send('GET /');
  expect(status).toBe(200);
  for (const { start } of json.areas) {
    const { pathname, search } = new URL(start);
    const response = await service.send(`GET ${pathname}${search}`);
    expect(response.status).toBeLessThan(400);
  }
});
