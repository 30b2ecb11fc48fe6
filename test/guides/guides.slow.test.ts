/** The documentation as the service serves it. */

import { existsSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Search, searchIn } from '../../pages/search/find.js';
import type { Area } from '../../src/kit/area.js';
import { areas } from '../../src/service.js';
import { anchorsOf, failureRows, headingsOf } from '../docs/markdown.js';
import { readText, root } from '../docs/pages.js';
import { everyNth, everyThird } from '../support/every-third.js';
import { useService } from '../support/service.js';
import { asBrowser, names, pathOf } from './guide-names.js';

const service = useService();
const { send } = service;

const pages = new Map<string, string>();
beforeAll(async () => {
  for (const name of names) {
    const { status, text } = await send(`GET ${pathOf(name)}`, { headers: asBrowser });
    expect(status, name).toBe(200);
    pages.set(name, text);
  }
});

const idsOf = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);
const plain = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

test('every guide has a page', () => {
  expect(names.length).toBeGreaterThan(60);
  expect(pages.size).toBe(names.length);
});

test.each(names)('%s has its title, its headings and its code', (name) => {
  const html = pages.get(name) ?? '';
  const markdown = readText(`docs/${name}.md`);
  const [title, ...headings] = headingsOf(markdown);
  const shown = name === 'README' ? 'Guides' : plain(title?.text.replaceAll('`', '') ?? '');
  expect(plain(/<h1[^>]*>(.*)<\/h1>/.exec(html)?.[1] ?? '')).toBe(shown);
  expect(html).toContain(`· Practice API guides</title>`);
  expect(headings.length).toBe(html.match(/class="anchor"/g)?.length ?? 0);
  const ids = idsOf(html);
  expect(new Set(ids).size, 'ids come once').toBe(ids.length);
  const anchors = [...anchorsOf(markdown)].slice(1);
  expect(anchors.filter((anchor) => !ids.includes(anchor))).toEqual([]);
  const stray = html.search(/base-url\.invalid|localhost:3000|<!-- | style="| on[a-z]+="/);
  expect(stray < 0 ? '' : html.slice(stray, stray + 80)).toBe('');
  const blocks = markdown.match(/^```/gm)?.length ?? 0;
  expect(html.match(/class="code|<pre class="printed"/g)?.length ?? 0).toBeGreaterThanOrEqual(
    blocks / 2,
  );
});

test('every link of every page leads to an existing page', async () => {
  const ids = new Map([...pages].map(([name, html]) => [pathOf(name), new Set(idsOf(html))]));
  const seen = new Map<string, number>();
  const dead: string[] = [];
  for (const [name, html] of pages) {
    for (const [, href = ''] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      const { origin, pathname, hash } = new URL(
        href.replaceAll('&amp;', '&'),
        service.url + pathOf(name),
      );
      const [, file] = /\/practice-api\/practice-api\/blob\/main\/(.*)$/.exec(pathname) ?? [];
      if (file !== undefined && !existsSync(new URL(file, root))) dead.push(`${name}: ${href}`);
      if (origin !== service.url) continue;
      const anchor = decodeURIComponent(hash.slice(1));
      if (anchor !== '' && ids.has(pathname) && !ids.get(pathname)?.has(anchor))
        dead.push(`${name}: ${href}`);
      const status =
        seen.get(pathname) ?? (await send(`HEAD ${pathname}`, { headers: asBrowser })).status;
      seen.set(pathname, status);
      if (status !== 200) dead.push(`${name}: ${href}: ${status}`);
    }
  }
  expect(dead).toEqual([]);
  expect(seen.size).toBeGreaterThan(names.length);
});

test('Markdown is sent to clients that request it, with absolute links that work', async () => {
  const links = new Set<string>();
  for (const name of names) {
    const byName = await send(`GET ${pathOf(name)}.md`);
    const byAccept = await send(`GET ${pathOf(name)}`, {
      headers: { Accept: 'text/markdown, text/html;q=0.5' },
    });
    for (const { status, headers, text } of [byName, byAccept]) {
      expect(status).toBe(200);
      expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
      expect(headers['cache-control']).toBe('no-cache');
      expect(text).toBe(byName.text);
    }
    expect(byAccept.headers.vary).toContain('Accept');
    expect(byName.text).toMatch(/^# /);
    expect(byName.text).not.toMatch(/localhost:3000|\]\((?!https?:|#)[^)]*\.md/);
    for (const [, link = ''] of byName.text.matchAll(/\]\((http:\/\/127[^)#]*)/g)) links.add(link);
  }
  expect(links.size).toBeGreaterThan(names.length / 2);
  for (const link of links) {
    expect((await send(`HEAD ${link.slice(service.url.length)}`)).status, link).toBe(200);
  }
});

test.each([
  ['a browser', 'text/html,application/xhtml+xml,*/*;q=0.8', 'text/html'],
  ['anything', '*/*', 'text/html'],
  ['a client that accepts both alike', 'text/markdown, text/html', 'text/html'],
  ['a client that prefers Markdown', 'text/markdown, */*;q=0.1', 'text/markdown'],
])('%s gets its preferred format', async (_name, accept, type) => {
  const { headers } = await send('GET /guides/auth/basic', { headers: { Accept: accept } });
  expect(headers['content-type']).toBe(`${type}; charset=utf-8`);
});

test('names are found in any letter case, and with a slash at the end', async () => {
  for (const path of ['/guides/', '/Guides/Auth/BASIC', '/guides/auth/basic/']) {
    const { status, text } = await send(`GET ${path}`);
    expect(status, path).toBe(200);
    const asset = /src="([^"]*)"/.exec(text)?.[1] ?? '';
    const { pathname } = new URL(asset, service.url + path);
    expect((await send(`HEAD ${pathname}`)).status, pathname).toBe(200);
  }
});

test.each([
  '/guides/nothing',
  '/guides/nothing.md',
  '/guides/README',
  '/guides/decisions/why-not-graphql-jit',
  '/guides/architecture',
  '/guides/..%2fpages.json',
  '/guides/pages.json',
  '/guides/navigation.html',
  '/guides/images/front-page-light.webp',
  '/guides/__proto__',
  '/guides/%00',
])('%s is 404', async (path) => {
  const message = 'There is no guide at this path. GET /guides lists all guides.';
  const { status, json } = await send(`GET ${path}`);
  expect(status).toBe(404);
  expect(json).toEqual({ status: 404, error: 'Not Found', message });
  const page = await send(`GET ${path}`, { headers: asBrowser });
  expect(page.status).toBe(404);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.text).toContain('There is no guide at this path.');
});

test('guides are for GET and HEAD', async () => {
  const { status, headers } = await send('POST /guides/auth');
  expect(status).toBe(405);
  expect(headers.allow).toBe('GET, HEAD');
});

test.each(['/guides', '/guides/auth/basic', '/guides/auth/basic.md', '/guides/search.json'])(
  '%s is compressed, and revalidated with its entity tag',
  async (path) => {
    const whole = await send(`GET ${path}`);
    for (const [coding, decompress] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const headers = { 'Accept-Encoding': coding };
      const get = await send(`GET ${path}`, { headers });
      expect(get.headers).toMatchObject({
        'content-encoding': coding,
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        vary: expect.stringContaining('Accept-Encoding'),
      });
      expect(decompress(get.bytes).equals(whole.bytes)).toBe(true);
      const head = await send(`HEAD ${path}`, { headers });
      expect(head.headers.etag).toBe(get.headers.etag);
      expect(head.headers['content-length']).toBe(String(get.bytes.length));
      const again = { ...headers, 'If-None-Match': String(get.headers.etag) };
      expect((await send(`GET ${path}`, { headers: again })).status).toBe(304);
    }
  },
);

test('pages allow files of the service only', async () => {
  const { headers } = await send('GET /guides');
  expect(headers['content-security-policy']).toContain("script-src 'self'");
  expect(headers['content-security-policy']).toContain('require-trusted-types-for');
});

test('examples and Markdown have the base URL of the request', async () => {
  const here = { headers: { Host: 'practice.test', ...asBrowser } };
  expect((await send('GET /guides/auth/basic', here)).text).toContain(
    'practice.test/api/auth/basic',
  );
  const inside = await send('GET /s/mine/guides/auth/basic', here);
  expect(inside.text).toContain('practice.test/s/mine/api/auth/basic');
  const { text } = await send('GET /s/mine/guides/auth/basic.md', here);
  expect(text).toContain('(http://practice.test/s/mine/guides/auth.md#settings)');
});

describe('search', () => {
  let search: Search;
  beforeAll(async () => {
    search = searchIn((await send('GET /guides/search.json')).json);
  });
  // Between searches, the service can close connections that later tests would use.
  const pause = () => new Promise((resolve) => setImmediate(resolve));
  const addresses = (text: string) =>
    search(text).found.map(({ path }) => path.replace('/guides/', ''));

  test('finds each heading', async () => {
    const missing: string[] = [];
    for (const name of everyThird(names.filter((each) => each !== 'README'))) {
      await pause();
      const html = pages.get(name) ?? '';
      for (const [, id = '', text = ''] of html.matchAll(
        /<h[23] id="([^"]*)">(.*?) <a class="anchor/g,
      )) {
        const title = plain(html.match(/<h1[^>]*>(.*)<\/h1>/)?.[1] ?? '');
        if (!addresses(`${title} ${plain(text)}`).includes(`${name}#${id}`))
          missing.push(`${name}: ${text}`);
      }
    }
    expect(missing).toEqual([]);
  });

  test('finds each failure of a guide, by its message', async () => {
    const rows = names.flatMap((name) =>
      failureRows(readText(`docs/${name}.md`)).map(({ message }) => ({ name, message })),
    );
    expect(rows.length).toBeGreaterThan(300);
    const missing: string[] = [];
    for (const { name, message } of everyNth(rows, 9)) {
      await pause();
      if (!addresses(message).includes(`${name}#what-each-failure-means`)) missing.push(message);
    }
    expect(missing).toEqual([]);
  });

  test.each([
    ['retry-after', 'rate-limit'],
    ['basic', 'auth/basic'],
    ['etag', 'resources'],
  ])('%s has %s among the first results', (text, name) => {
    expect(
      addresses(text)
        .slice(0, 10)
        .some((at) => at.startsWith(name)),
    ).toBe(true);
  });
});

describe('links to guides', () => {
  test('every area has an existing guide, which the reference links to', () => {
    for (const { name, title, guide } of areas as readonly Area[]) {
      expect(names, name).toContain(guide);
      expect(pages.get(guide ?? '')).toContain(
        `href="${'../'.repeat(guide?.split('/').length ?? 1)}docs#/${name}">${title} in the reference`,
      );
    }
  });

  test('the front page leads to the guide of each area', async () => {
    const { text } = await send('GET /', { headers: asBrowser });
    const missing = (areas as readonly Area[]).filter(
      ({ guide }) => !text.includes(`href="./guides/${guide}"`),
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  test('every tag and every operation of the description links to a guide', async () => {
    const { json } = await send('GET /openapi.json?formats=all');
    const operations = Object.values(json.paths).flatMap((each) => Object.values(each as object));
    for (const each of [...json.tags, ...operations]) {
      expect(names, each.name ?? each.operationId).toContain(
        each.externalDocs?.url.replace(`${service.url}/guides/`, ''),
      );
    }
    expect(json.paths['/api/auth/basic'].get.externalDocs.url).toBe(
      `${service.url}/guides/auth/basic`,
    );
  });

  test('the type of each problem is a heading of its guide', async () => {
    const kinds = [400, 401, 404, 405, 406, 409, 412, 413, 414, 415, 429, 500, 503];
    const { json } = await send('GET /api/Books/nothing', {
      headers: { Accept: 'application/problem+json' },
    });
    const { pathname, hash } = new URL(json.type);
    expect(pathname).toBe('/guides/resources/problems');
    const ids = idsOf(pages.get('resources/problems') ?? '');
    expect(ids).toContain(hash.slice(1));
    expect(ids.filter((id) => /^[a-z-]+$/.test(id)).length).toBeGreaterThanOrEqual(kinds.length);
  });

  test('what is looked up begins with the guides', async () => {
    const { text } = await send('GET /start/look-up', { headers: { accept: 'text/html' } });
    expect(/<h2>([^<]*)</.exec(text)?.[1]).toBe('Guides');
  });

  test('llms.txt lists each guide as Markdown', async () => {
    const { text } = await send('GET /llms.txt');
    for (const name of names) expect(text).toContain(`(${service.url}${pathOf(name)}.md)`);
  });
});

describe('with configured credentials', () => {
  const other = useService({ basicUser: 'ada:own-secret' });

  test('examples contain them', async () => {
    const { text } = await other.send('GET /guides/auth/basic');
    expect(text).toContain('ada:own-secret');
    expect(text).not.toContain('demo:basic-secret');
  });
});
