/** Files at the root for programs. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

// With TLS, the redirect to another port works.
const service = useService({ tls: true });

test('/favicon.ico is an icon', async () => {
  const { status, headers, bytes } = await service.send('GET /favicon.ico');
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('image/vnd.microsoft.icon');
  // Type 1 means icon; three sizes.
  expect([...bytes.subarray(0, 6)]).toEqual([0, 0, 1, 0, 3, 0]);
});

test('/robots.txt allows crawlers the pages, and not the endpoints', async () => {
  const { headers, text } = await service.send('GET /robots.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(text).toContain('Allow: /$\n');
  expect(text).toContain('Disallow: /\n');
});

test('/llms.txt has a title, a summary, and a list of links for each area', async () => {
  const { headers, text } = await service.send('GET /llms.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(text).toMatch(/^# .+\n\n> .+\n\n.+\n\n## /);
  const { json } = await service.send('GET /');
  expect(text.match(/^### /gm)).toHaveLength(json.areas.length);
});

test('every link in /llms.txt is absolute and works', async () => {
  const { text } = await service.send('GET /llms.txt');
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link ?? '');
  expect(links.length).toBeGreaterThan(30);
  await Promise.all(
    links.map(async (link) => {
      expect(link.startsWith(`${service.url}/`), link).toBe(true);
      // Some streams never end.
      const { status, body } = await fetch(link);
      await body?.cancel();
      // An endpoint exists, whatever it requires of its caller.
      expect(status, link).not.toBe(404);
      expect(status, link).toBeLessThan(500);
    }),
  );
});

test('links in /llms.txt begin with the base URL of the request', async () => {
  const { text } = await service.send('GET /llms.txt', { headers: { Host: 'practice.test' } });
  expect(text).toContain('(http://practice.test/openapi.json)');
  expect(text).not.toContain(service.url);
});
