import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exchange } from '../../lab/harness/raw-http.js';
import { areaConversations, areaRequests } from '../../lab/soak/areas.js';
import { useService } from '../support/service.js';

const service = useService({ metrics: 'on', tlsPort: 0 });

async function tlsUrl(): Promise<string> {
  const { json } = await service.send('GET /tls');
  return json[0].url;
}

test('the callers of a soak use every area', async () => {
  const names = Object.keys(await areaRequests(service.url));
  const conversations = areaConversations(service.url, await tlsUrl()).map(({ name }) => name);
  expect([...names, ...conversations]).toEqual(expect.arrayContaining(readdirSync('src/areas')));
});

test('each of their responses shows what it must', async () => {
  for (const [area, makers] of Object.entries(await areaRequests(service.url))) {
    for (const make of makers) {
      const { method, bytes, shown = '' } = make(7);
      const closing = bytes.replace('\r\n', '\r\nConnection: close\r\n');
      const options = { patienceMs: 60_000, methods: [method] };
      const { responses } = await exchange(service.url, [closing], options);
      expect(responses[0]?.status, area).toBeLessThan(400);
      expect(responses[0]?.body, area).toContain(shown);
    }
  }
  for (const { name, once } of areaConversations(service.url, await tlsUrl())) {
    expect(await once(1), name).toEqual([]);
  }
});
