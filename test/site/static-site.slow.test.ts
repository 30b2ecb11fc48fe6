/** The site of files: all links lead to what exists, and its pages open without a server. */

import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lookAt } from '../browser/look-at.js';
import { useBrowser } from '../support/browser.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'practice-api-site-'));
let printed = '';
let files: string[] = [];

beforeAll(async () => {
  const built = await promisify(execFile)(process.execPath, ['scripts/build-site.js', folder], {
    cwd: root,
  });
  printed = built.stderr;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  files = names.filter((name) => /\.\w+$/.test(name));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const pages = () => files.filter((file) => file.endsWith('.html'));

interface Link {
  readonly from: string;
  readonly target: string;
}

function linksIn(from: string): Link[] {
  const found = read(from).matchAll(/<[a-z][^<>]* (?:href|src)="([^"]*)"/g);
  return [...found].map(([, target = '']) => ({ from, target: target.replaceAll('&amp;', '&') }));
}

test('the build prints where the site is, and its size', () => {
  expect(printed).toMatch(/^Built in [\d.]+ s: .*practice-api-site-\w+\/ \([\d.]+ MB\)\.$/m);
});

test('every guide, the comparison and the pages of the reference are files', () => {
  const guides = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?!decisions|contributing).*\.md$/.test(name))
    .filter((name) => !/^(?:README|architecture|endpoints)\.md$/.test(name))
    .map((name) => `guides/${name.replace(/\.md$/, '.html')}`);
  expect(files).toEqual(expect.arrayContaining([...guides, 'index.html', 'reference.html']));
  const { tags } = JSON.parse(read('openapi.json'));
  const areas = tags.map(({ name }: { name: string }) => `reference/${name}.html`);
  expect(files).toEqual(expect.arrayContaining(areas));
});

test('each operation of the description is in the reference, with its responses', () => {
  const { paths } = JSON.parse(read('openapi.json'));
  const missing = Object.values<Record<string, Operation>>(paths)
    .flatMap((item) => Object.values(item))
    .filter(({ operationId }) => operationId !== undefined)
    .filter(({ operationId, tags: [tag], responses }) => {
      const [, section = ''] = read(`reference/${tag}.html`).split(`<section id="${operationId}"`);
      return Object.keys(responses).some((status) => !section.includes(`>${status}</b>`));
    });
  expect(missing.map(({ operationId }) => operationId)).toEqual([]);
});

interface Operation {
  readonly operationId?: string;
  readonly tags: readonly [string];
  readonly responses: Readonly<Record<string, unknown>>;
}

test('every link leads to a file of the site and an element in it, or elsewhere by https', () => {
  const ids = new Map(
    pages().map((file) => [
      file,
      new Set([...read(file).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
    ]),
  );
  const links = pages().flatMap(linksIn);
  const broken = links.filter(({ from, target }) => {
    if (/^https:/.test(target)) return false;
    // Pages of the running service.
    if (target.startsWith('http://localhost:3000/')) return from !== 'start-it-first.html';
    const [path = '', fragment] = target.split('#');
    const file = path === '' ? from : posix.join(posix.dirname(from), decodeURI(path));
    if (path.startsWith('/') || !files.includes(file)) return true;
    return fragment !== undefined && !ids.get(file)?.has(decodeURIComponent(fragment));
  });
  expect(broken).toEqual([]);
  expect(links.length).toBeGreaterThan(10_000);
});

test('a page has no script, and its style sheets load no other file', () => {
  expect(pages().filter((file) => /<script|\son\w+=|crossorigin/.test(read(file)))).toEqual([]);
  const styles = files.filter((file) => file.endsWith('.css'));
  expect(styles.filter((file) => /url\((?!["']?data:)|@import/.test(read(file)))).toEqual([]);
});

test('where the service has a button, there is a link to its start', () => {
  const sent = linksIn('guides/auth/basic.html').filter(({ target }) =>
    target.includes('start-it-first'),
  );
  expect(sent.length).toBeGreaterThan(10);
  expect(pages().filter((file) => /<button(?![^>]*popovertarget)/.test(read(file)))).toEqual([]);
});

describe('opened as files', () => {
  const browser = useBrowser();
  const urlOf = (file: string) => pathToFileURL(join(folder, file)).href;

  test('a reader goes from the start to a guide, sends, and finds out how to start', async () => {
    const page = await browser.open(urlOf('index.html'), { javaScriptEnabled: false });
    await page.locator('main').getByRole('link', { name: 'Getting started' }).first().click();
    await page
      .getByRole('link', { name: /^Send example/ })
      .first()
      .click();
    expect(page.url()).toBe(`${urlOf('start-it-first.html')}#guides-getting-started`);
    const chosen = page.locator('.start-first:target');
    expect(await chosen.innerText()).toBe('http://localhost:3000/guides/getting-started');
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.locator('a.row', { hasText: '/api/auth/basic' }).first().click();
    expect(page.url()).toMatch(/\/reference\/auth\.html#\w+$/);
    await page.getByRole('link', { name: 'Compared' }).click();
    expect(await page.getByRole('table').first().isVisible()).toBe(true);
  });

  test.each([
    ['index.html', 'Guides'],
    ['guides/auth/basic.html', 'Basic authentication'],
    ['guides/compared.html', 'Compared with others'],
    ['reference.html', 'API reference'],
    ['reference/pagination.html', 'Pagination'],
    ['start-it-first.html', 'Start it first'],
  ])('%s is accessible, wide and narrow, light and dark', async (file, title) => {
    // axe reads the style sheets by requests, which a browser rejects for files.
    const expectedErrors = /CORS policy|net::ERR_FAILED/;
    const page = await browser.open(urlOf(file), { expectedErrors });
    await lookAt(page, title);
  });

  test('the largest page is accessible, light and dark', { timeout: 240_000 }, async () => {
    const sizes = new Map(pages().map((file) => [file, read(file).length]));
    const [[largest = ''] = []] = [...sizes].sort(([, a], [, b]) => b - a);
    const title = /<h1[^>]*>([^<]+)</.exec(read(largest))?.[1] ?? '';
    const expectedErrors = /CORS policy|net::ERR_FAILED/;
    const page = await browser.open(urlOf(largest), { expectedErrors });
    await lookAt(page, title, [360]);
  });

  test('a static host can serve it below a path', async () => {
    const below = '/of/a/project';
    const types = { css: 'text/css', html: 'text/html', svg: 'image/svg+xml' };
    const server = createServer(({ url = '' }, response) => {
      const file = url.startsWith(`${below}/`) ? url.slice(below.length + 1) : '';
      if (!files.includes(file)) return response.writeHead(404).end();
      const type = types[posix.extname(file).slice(1) as keyof typeof types];
      return response.setHeader('content-type', type ?? '').end(readFileSync(join(folder, file)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as { port: number };
      const page = await browser.open(`http://127.0.0.1:${port}${below}/reference/auth.html`);
      const { length } = await page.evaluate<{ length: number }>(
        '({ length: [...document.styleSheets].filter(({ cssRules }) => cssRules.length > 0).length })',
      );
      expect(length).toBe(3);
      await page.getByRole('link', { name: 'Guide', exact: true }).first().click();
      expect(page.url()).toContain(`${below}/guides/`);
    } finally {
      server.close();
    }
  });
});
