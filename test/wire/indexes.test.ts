import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();

describe.each(['/api', '/api/methods', '/api/soap', '/api/webhooks'])('%s', (path) => {
  test('lists the endpoints below it, all of which exist', async () => {
    const { status, json } = await service.send(`GET ${path}`);
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(['endpoints']);
    expect(json.endpoints.length).toBeGreaterThan(3);
    const ofAny = json.endpoints.filter(({ method }: { method: string }) => method === 'ANY');
    const anyMethods = new Set(ofAny.map(({ path }: { path: string }) => path));
    for (const endpoint of json.endpoints) {
      expect(Object.keys(endpoint)).toEqual(['method', 'path', 'summary']);
      expect(endpoint.path.startsWith(`${path}/`)).toBe(true);
      const target = endpoint.path.replace(/[{}]/g, '');
      const { headers } = await service.send(`PROPFIND ${target}`);
      const takesAny = anyMethods.has(endpoint.path);
      const isThere = takesAny || headers.allow?.includes(endpoint.method);
      expect(isThere, `${endpoint.method} ${endpoint.path}`).toBe(true);
    }
  });

  test('supports only GET and HEAD', async () => {
    expect((await service.send(`HEAD ${path}/`)).status).toBe(200);
    const { status, headers } = await service.send(`POST ${path}`);
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});
