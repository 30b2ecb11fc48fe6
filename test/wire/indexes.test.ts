import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();

describe.each(['/api', '/api/methods', '/api/soap', '/api/webhooks'])('%s', (path) => {
  test('lists the endpoints below it, each of which is there', async () => {
    const { status, json } = await service.send(`GET ${path}`);
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(['endpoints']);
    expect(json.endpoints.length).toBeGreaterThan(3);
    for (const endpoint of json.endpoints) {
      expect(Object.keys(endpoint)).toEqual(['method', 'path', 'summary']);
      expect(endpoint.path.startsWith(`${path}/`)).toBe(true);
      const { headers } = await service.send(`PROPFIND ${endpoint.path.replace(/[{}]/g, '')}`);
      const isThere = endpoint.method === 'ANY' || headers.allow?.includes(endpoint.method);
      expect(isThere, `${endpoint.method} ${endpoint.path}`).toBe(true);
    }
  });

  test('takes GET and HEAD alone', async () => {
    expect((await service.send(`HEAD ${path}/`)).status).toBe(200);
    const { status, headers } = await service.send(`POST ${path}`);
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});
