/** URLs that list what is below them: JSON to programs, pages to browsers. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();
const closed = useService({ accounts: 'required' });
const asBrowser = { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

const lists = [
  ['/api', '/api/Books/{id}'],
  ['/api/webhooks', '/api/webhooks/bins'],
  ['/api/methods', '/api/methods/get'],
  ['/api/soap', '/api/soap/calculator'],
  ['/api/sse', '/api/sse/clock'],
  ['/api/auth', 'demo-hmac-secret'],
  ['/downloads', 'Postman collection'],
  ['/images', 'products/30.svg'],
] as const;

test.each(lists)('%s is a page to browsers and JSON to programs', async (path, has) => {
  for (const prefix of ['', '/s/listed']) {
    const page = await service.send(`GET ${prefix}${path}`, asBrowser);
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers.vary).toContain('Accept');
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(page.text).toContain(has);
    expect(page.text).toMatch(/<a href="[./]+guides\/[\w/-]+">The guide<\/a>/);
    expect(page.text).toMatch(/<a href="[./]+docs[^"]*">The reference<\/a>/);
    for (const accept of [undefined, '*/*', 'application/json']) {
      const headers = accept === undefined ? {} : { Accept: accept };
      const { status, headers: sent } = await service.send(`GET ${prefix}${path}`, { headers });
      expect(status).toBe(200);
      expect(sent['content-type']).toBe('application/json; charset=utf-8');
      expect(sent.vary).toContain('Accept');
    }
  }
});

test.each(lists)('all links of the page of %s work', async (path) => {
  const { json: description } = await service.send('GET /openapi.json');
  const operations = Object.values<Record<string, { operationId: string }>>(description.paths);
  const ids = new Set(
    operations.flatMap((each) => Object.values(each)).map((each) => each.operationId),
  );
  const { text } = await service.send(`GET ${path}`, asBrowser);
  const links = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link);
  const seen = new Set<string>();
  for (const link of links) {
    const { origin, pathname, hash } = new URL(link, service.url + path);
    expect(origin, link).toBe(service.url);
    const [, , id] = hash.split('/');
    if (id !== undefined) expect(ids, link).toContain(id);
    if (seen.has(pathname) || seen.size > 25) continue;
    seen.add(pathname);
    const { status } = await service.send(`HEAD ${pathname}`, asBrowser);
    expect(status, link).toBe(200);
  }
});

test('the list of images names each kind with its ids', async () => {
  const { json } = await service.send('GET /images');
  const products = json.kinds.find(({ name }: { name: string }) => name === 'products');
  expect(products.ids).toHaveLength(30);
  const { pathname } = new URL(products.url.replace('{id}', products.ids[0]));
  expect((await service.send(`GET ${pathname}`)).status).toBe(200);
});

test('the page of credentials is not cacheable, and needs no account', async () => {
  const { status, headers, text } = await closed.send('GET /api/auth', asBrowser);
  expect(status).toBe(200);
  expect(headers['cache-control']).toBe('no-store');
  expect(text).toContain('demo-hmac-secret');
  expect((await closed.send('GET /api/auth')).status).toBe(401);
});

test('the page of credentials shows every value of the JSON', async () => {
  const { json } = await service.send('GET /api/auth');
  const { text } = await service.send('GET /api/auth', asBrowser);
  const values: string[] = [];
  JSON.stringify(json.credentials, (_name, value) => {
    if (typeof value === 'string') values.push(value);
    return value;
  });
  expect(values).toEqual(
    expect.arrayContaining(['demo-spa', 'ada-secret', 'p4tr-83ws', 'test-shared-secret', 'write']),
  );
  const [, cards = ''] = /<div class="values">(.*)<\/div>\s*<h2>/s.exec(text) ?? [];
  const shown = cards.replaceAll(/<[^>]*>/g, ' ');
  expect(values.filter((value) => !shown.includes(value))).toEqual([]);
});

test('listed values are escaped', async () => {
  const { text } = await service.send('GET /api/auth', {
    headers: { ...asBrowser.headers, Host: 'a.test' },
  });
  expect(text).not.toMatch(/<script>|style="| on[a-z]+="/);
});
