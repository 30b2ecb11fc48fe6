/** The page that browsers get for an unknown path, where programs get JSON. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();
const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const show = (target: string) => service.send(target, { headers: asBrowser });

test('a browser gets a page that links to similar paths, a program JSON that names them', async () => {
  const page = await show('GET /api/Book/7');
  expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.headers.vary).toContain('Accept');
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(page.text).toContain('<a href="../../api/Books/7"><code>/api/Books/7</code></a>');
  const { json, headers } = await service.send('GET /api/Book/7');
  expect(json).toEqual({
    status: 404,
    error: 'Not Found',
    message:
      'There is nothing at /api/Book/7. Did you mean /api/Books/7? GET / lists what this service offers.',
  });
  expect(headers.vary).toContain('Accept');
});

test('paths inside a sandbox stay inside', async () => {
  const page = await show('GET /s/mine/graphq');
  expect(page.text).toContain('<a href="./graphql"><code>/s/mine/graphql</code></a>');
  const { json } = await service.send('GET /s/mine/graphq');
  expect(json.message).toContain('Did you mean /s/mine/graphql?');
});

test.each([
  ['/get', '/httpbin/get'],
  ['/anything', '/httpbin/anything'],
  ['/anything/a', '/httpbin/anything/a'],
  ['/status/418', '/httpbin/status/418'],
  ['/basic-auth/user/passwd', '/httpbin/basic-auth/user/passwd'],
])('a path of httpbin at the root, %s, links to %s', async (path, meant) => {
  for (const base of ['', '/s/mine']) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, json } = await service.send(`${method} ${base}${path}`);
      expect(status).toBe(404);
      expect(json.message).toContain(`Did you mean ${base}${meant}?`);
    }
    const page = await show(`GET ${base}${path}?a=1`);
    expect(page.text).toContain(`<code>${base}${meant}</code>`);
  }
});

test.each([
  ['a page', 'POST /docs', 'GET, HEAD'],
  ['a path that a wildcard route would match', 'DELETE /api/http/cookies/jar', 'POST'],
])(
  'a method that %s does not support is shown with the supported ones',
  async (_name, target, allow) => {
    const page = await show(target);
    expect([page.status, page.headers.allow]).toEqual([405, allow]);
    expect(page.headers.vary).toContain('Accept');
    expect(page.text).toContain('<h1>405 Method Not Allowed</h1>');
  },
);

test.each([
  ['GET /nowhere/at-all', 404],
  ['POST /docs', 405],
])('the page of %s links to the explanation of %d in the guides', async (target, status) => {
  const { text } = await show(target);
  const [, link = ''] = new RegExp(`href="([^"]*)">What ${status} means<`).exec(text) ?? [];
  const { pathname, hash } = new URL(link, `${service.url}${target.split(' ')[1]}`);
  expect((await show(`GET ${pathname}`)).text).toContain(` id="${hash.slice(1)}"`);
});

test.each([
  ['GET /guides/no-such-guide', 'There is no guide at this path.'],
  ['HEAD /guides/no-such-guide', ''],
  ['GET /guides/webhook', 'Did you mean /guides/webhooks?'],
  ['GET /s/x/guides/nope', 'GET /s/x/guides lists all guides.'],
  ['GET /s/~unknown/', 'This path is unknown'],
  ['GET /s/~unknown/docs', 'This path is unknown'],
  ['GET /my/nope', 'no collection'],
  ['GET /s/x/my/nope/7', 'no collection'],
  ['GET /tls/ca.key', 'TLS is off'],
  ['GET /tls/client/nothing.pem', 'TLS is off'],
  ['GET /assets/nothing.js', 'There is no asset with this name.'],
  ['GET /api/Books/9999', 'There is no book 9999.'],
  ['DELETE /api/Books/9999', 'There is no book 9999.'],
  ['GET /API/books/9999/', 'There is no book 9999.'],
  ['GET /images/nothing/1.svg', 'There is nothing at'],
])('a browser gets a page for %s, a program JSON, and both Vary', async (target, message) => {
  const page = await show(target);
  const type = page.headers['content-type'];
  expect([page.status, type]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.headers.vary).toContain('Accept');
  for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.9']) {
    const { status, headers, text } = await service.send(target, { headers: { accept } });
    expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
    expect(headers.vary).toContain('Accept');
    expect(text).toContain(message);
  }
  if (!target.startsWith('HEAD')) expect(page.text).toContain('<h1>404 Not Found</h1>');
});

test.each([
  ['GET /s/not%20a%20name/docs', 400],
  ['GET /%zz', 400],
  [`GET /${'a'.repeat(2001)}/nothing`, 404],
  [`GET /api/Books/${'a'.repeat(2001)}`, 414],
])('a browser gets a page for %.40s, which is not routed', async (target, status) => {
  const page = await show(target);
  expect([page.status, page.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
  expect(page.headers.vary).toContain('Accept');
});

test('links of the page for an unknown sandbox lead out of it', async () => {
  for (const [target, root] of [
    ['GET /s/~unknown/', '../../'],
    ['GET /s/~unknown/docs', '../../'],
    ['GET /s/~unknown/guides/auth', '../../../'],
  ] as const) {
    const { text } = await show(target);
    const links = [...text.matchAll(/(?:href|src)="(\.[^"]*)"/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((link) => !link.startsWith(root))).toEqual([]);
  }
});

test('the page for a misspelled guide links to the guide', async () => {
  const { text } = await show('GET /s/mine/guides/webhook');
  expect(text).toContain('<a href="../guides/webhooks"><code>/s/mine/guides/webhooks</code></a>');
});

test('a simulated failure and errors in the format of a protocol stay unchanged', async () => {
  const simulated = await show('GET /api/Books?error=404');
  expect(simulated.headers['content-type']).toContain('json');
  const accept = 'text/html, application/problem+json';
  const problem = await service.send('GET /api/Books/9999', { headers: { accept } });
  expect(problem.headers['content-type']).toContain('application/problem+json');
});

test('markup in a path is text', async () => {
  const page = await show('GET /<script>alert(1)</script>');
  expect(page.status).toBe(404);
  expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page.text).not.toContain('<script>alert');
});

test('JSON is sent if it is preferred to HTML', async () => {
  const headers = { accept: 'text/html;q=0.5, application/json' };
  const { status, json } = await service.send('GET /nowhere', { headers });
  expect([status, json.status]).toEqual([404, 404]);
});
