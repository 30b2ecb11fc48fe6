/** The API reference in a browser. */

import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { violationsOf } from '../support/axe.js';
import { useBrowser } from '../support/browser.js';
import { weighPage } from '../support/page-weight.js';
import { useService } from '../support/service.js';

const service = useService();
const browser = useBrowser();
const patient = { timeout: 30_000 };
const wide = { viewport: { width: 1400, height: 900 } };
const rejected = { ...wide, expectedErrors: /status of 401/ };

interface Tag {
  readonly name: string;
  readonly 'x-displayName': string;
}

/** The operation as its link opens it, with everything filled in. */
async function operationOf(page: Page, id: string): Promise<Locator> {
  const row = page.locator(`li:has(> a[href$="/${id}"])`);
  await row.locator('.execute').waitFor();
  await expect.poll(() => row.locator('[data-state=filling]').count(), patient).toBe(0);
  return row;
}

/** Sends the request of an operation and returns the status that the page shows. */
async function execute(operation: Locator): Promise<string> {
  await operation
    .locator('.output')
    .evaluate((output: { replaceChildren(): void }) => output.replaceChildren());
  await operation.getByRole('button', { name: 'Send' }).click();
  const status = operation.locator('.output .status');
  await status.waitFor(patient);
  return (await status.innerText()).slice(0, 3);
}

/** Opens operations one after another, as their links do. */
async function open(page: Page, id: string): Promise<Locator> {
  await page.evaluate(`location.hash = '#/${await tagOf(id)}/${id}'`);
  return operationOf(page, id);
}

let tags: Promise<ReadonlyMap<string, string>> | undefined;

/** Returns the tag of an operation; reads the description once. */
async function tagOf(id: string): Promise<string> {
  tags ??= service.send('GET /openapi.json').then(({ json }) => {
    const operations: readonly { operationId: string; tags: string[] }[] = Object.values(
      json.paths as Record<string, object>,
    ).flatMap((each) => Object.values(each));
    return new Map(operations.map((each) => [each.operationId, each.tags?.[0] ?? '']));
  });
  return (await tags).get(id) ?? '';
}

test('every area is a section of it', async () => {
  const page = await browser.open(`${service.url}/docs`, wide);
  const { json } = await service.send('GET /openapi.json?formats=all');
  const titles = json.tags.map((tag: Tag) => tag['x-displayName']);
  const shown = await page.locator('.area h3').allInnerTexts();
  expect(shown.map((text) => text.trim())).toEqual(titles);
  const areas = page.getByRole('navigation', { name: 'Areas' });
  for (const title of titles) expect(await areas.innerText()).toContain(title);
  await areas.getByRole('link', { name: 'Rate limiting' }).click();
  await page.getByText('/api/RateLimit/status').waitFor();
});

test('without scripts it lists every operation with its summary', async () => {
  const page = await browser.open(`${service.url}/docs`, { ...wide, javaScriptEnabled: false });
  const { json } = await service.send('GET /openapi.json?formats=all');
  const listed = await page.locator('#outline li').allTextContents();
  const lines = listed.map((text) => text.replaceAll(/\s+/g, ' ').trim());
  for (const [path, item] of Object.entries(json.paths as Record<string, object>)) {
    const { parameters: _, ...operations } = item as Record<string, Record<string, unknown>>;
    for (const [sent, { summary, 'x-methods': methods }] of Object.entries(operations)) {
      const method = methods === undefined ? sent.toUpperCase() : 'ANY';
      expect(lines).toContain(`${method} ${path} ${summary}`);
    }
  }
});

test('the front page leads to the section of an area', async () => {
  const page = await browser.open(`${service.url}/#rate-limit`, wide);
  await page.getByRole('link', { name: 'Rate limiting in the reference' }).click();
  await page.waitForURL(/\/docs#\/rate-limit$/);
  await page.getByText('/api/RateLimit/status').waitFor();
  expect(await page.getByRole('heading', { name: 'Rate limiting' }).first().isVisible()).toBe(true);
});

test('links lead to an operation and to an area, and so do old links', async () => {
  const page = await browser.open(`${service.url}/health`, wide);
  for (const [hash, path] of [
    ['#/auth/getAuthBasic', '/api/auth/basic'],
    ['#tag/rate-limit', '/api/RateLimit/status'],
    ['#tag/auth/GET/api/auth/basic/{user}', '/api/auth/basic/{user}'],
  ]) {
    await page.goto('about:blank');
    await page.goto(`${service.url}/docs${hash}`);
    await page.locator(`.row[data-path="${path}"]`).first().waitFor();
    const opened = hash === '#tag/rate-limit' ? 0 : 1;
    await expect.poll(() => page.locator('.execute').count(), patient).toBe(opened);
  }
});

test('the filter shows only the operations that contain the typed text, best first', async () => {
  const page = await browser.open(`${service.url}/docs`, wide);
  const paths = page.locator('#results .row code');
  const filter = page.getByLabel('Filter operations');
  await filter.fill('isbn');
  expect(await paths.allInnerTexts()).toEqual(['/api/Books/isbn/{isbn}']);
  await filter.fill('books');
  expect((await paths.allInnerTexts()).slice(0, 3)).toEqual([
    '/api/Books',
    '/api/Books',
    '/api/Books/{id}',
  ]);
  await paths.first().click();
  expect(await execute(await operationOf(page, 'getBooks'))).toBe('200');
  await filter.fill('nothing like this');
  await page.getByText('No operation contains “nothing like this”.').waitFor();
  await filter.fill('');
  expect(await paths.count()).toBe(0);
  await page.getByRole('heading', { name: 'GraphQL' }).first().waitFor();
});

test('a row opens and closes its operation', async () => {
  const page = await browser.open(`${service.url}/docs#/methods`, wide);
  const row = page.getByRole('link', { name: '/api/methods/get', exact: false }).first();
  await row.press('Enter');
  await operationOf(page, 'getMethodsGet');
  expect(await row.getAttribute('aria-expanded')).toBe('true');
  await row.press('Enter');
  expect(await page.locator('.operation').count()).toBe(0);
  expect(await row.getAttribute('aria-expanded')).toBe('false');
});

test('Send is on the first screen, and its response shown', async () => {
  const page = await browser.open(`${service.url}/docs#/methods/getMethodsGet`, wide);
  const operation = await operationOf(page, 'getMethodsGet');
  const responding = page.waitForResponse(`${service.url}/api/methods/get`);
  const { y = 0 } = (await operation.locator('.execute').boundingBox()) ?? {};
  expect(y).toBeGreaterThan(0);
  expect(y).toBeLessThan(400);
  expect(await execute(operation)).toBe('200');
  expect((await responding).status()).toBe(200);
  expect(await operation.innerText()).toContain('GET request received');
});

test('the page logs nothing', async () => {
  const page = await browser.open(`${service.url}/health`, wide);
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  await page.goto(`${service.url}/docs#/resources/postBooks`);
  await operationOf(page, 'postBooks');
  expect(said).toEqual([]);
});

test('a required value that is missing is named, and focused', async () => {
  const page = await browser.open(`${service.url}/docs#/bins/getWebhooksBinsById`, wide);
  const operation = await operationOf(page, 'getWebhooksBinsById');
  await operation.getByText('POST /api/webhooks/bins').waitFor();
  await operation.getByRole('button', { name: 'Send' }).click();
  await operation.getByText('Enter id first.').waitFor();
  expect(await page.evaluate('document.activeElement.dataset.name')).toBe('id');
});

test('the credentials of each scheme are filled in', async () => {
  const page = await browser.open(`${service.url}/docs#/auth`, rejected);
  for (const id of [
    'getAuthBasic',
    'getAuthDigest',
    'getAuthApiKeyQuery',
    'getAuthBearer',
    'getAuthJwtMe',
    'getAuthOauthProtected',
    'getAuthBasicByUserByPassword',
  ]) {
    expect(await execute(await open(page, id)), id).toBe('200');
  }
});

test('a form authenticates its client once', async () => {
  const page = await browser.open(`${service.url}/docs#/auth/postAuthOauthToken`, wide);
  expect(await execute(await operationOf(page, 'postAuthOauthToken'))).toBe('200');
});

test('every scheme is filled in, or explains how to get its credentials', {
  timeout: 240_000,
}, async () => {
  const page = await browser.open(`${service.url}/docs`, wide);
  const { json } = await service.send('GET /openapi.json');
  const operations = Object.values(json.paths as Record<string, object>).flatMap((item) =>
    Object.values(item as Record<string, { operationId: string; security?: object[] }>),
  );
  const empty: string[] = [];
  for (const scheme of Object.keys(json.components.securitySchemes)) {
    const of = operations.find(({ security = [] }) => security.some((way) => scheme in way));
    if (of === undefined) continue;
    const operation = await open(page, of.operationId);
    await operation.getByLabel('Scheme').selectOption(scheme);
    const inputs = operation.locator('.credentials > div:not([hidden]) input');
    const values = await Promise.all((await inputs.all()).map((input) => input.inputValue()));
    if (values.some((value) => value !== '')) continue;
    empty.push(scheme);
    expect(await operation.locator('.credentials').innerText(), scheme).toMatch(/[a-z]{3,} \w+/);
  }
  expect(empty.sort()).toEqual(
    [
      'messageSignature',
      'mtls',
      'oidc',
      'oidcRegistration',
      'serviceKey',
      'session',
      'sigv4',
      'teacherKey',
    ].sort(),
  );
});

test('it keeps a login as cookies do, and responds to digest challenges of every algorithm', async () => {
  const page = await browser.open(`${service.url}/docs#/auth`, rejected);
  for (const id of [
    'postAuthSessionLogin',
    'getAuthSessionMe',
    'getHttpbinDigestAuthByQopByUserByPasswdByAlgorithm',
  ]) {
    expect(await execute(await open(page, id)), id).toBe('200');
  }
});

test('the first load is at most 30 KiB, and an area is loaded when it is opened', async () => {
  const { bytes, files } = await weighPage(service, '/docs');
  expect(bytes).toBeLessThanOrEqual(30 * 1024);
  expect(files.filter((file) => /operation|openapi/.test(file))).toEqual([]);
});

test('without credentials it shows the challenge, and the browser opens no dialog', async () => {
  const page = await browser.open(`${service.url}/docs#/auth`, rejected);
  for (const [scheme, challenge, id] of [
    ['basic', 'Basic', 'getAuthBasic'],
    ['digest', 'Digest', 'getAuthDigest'],
  ] as const) {
    const operation = await open(page, id);
    await operation.getByLabel('Scheme').selectOption('Send none');
    const responding = page.waitForResponse(`${service.url}/api/auth/${scheme}`);
    // While the browser shows a password dialog, there is no response.
    expect(await execute(operation)).toBe('401');
    expect((await responding).headers()['www-authenticate']).toMatch(new RegExp(`^${challenge} `));
    expect(await operation.innerText()).toContain('The Authorization header is missing');
  }
  const operation = await open(page, 'getAuthBasic');
  await operation.getByLabel('Scheme').selectOption('basic');
  await operation.getByLabel('User name').fill('unknown');
  await operation.getByLabel('Password').fill('wrong');
  expect(await execute(operation)).toBe('401');
  expect(await operation.innerText()).toContain('The user name or the password is wrong');
});

test('a request is shown as code, with the sandbox of the page', async () => {
  const page = await browser.open(`${service.url}/docs#/resources/patchBooksById`, wide);
  const operation = await operationOf(page, 'patchBooksById');
  await operation.getByLabel('Show as code for').selectOption('curl');
  const code = await operation.locator('.output pre').innerText();
  expect(code).toContain(`${service.url}/api/Books/1`);
  expect(code).toContain('PATCH');
});

test('a file is uploaded', async () => {
  const page = await browser.open(`${service.url}/s/uploads/docs#/http/postHttpUploads`, wide);
  const operation = await operationOf(page, 'postHttpUploads');
  await operation.getByLabel('Media type of the body').selectOption('multipart/form-data');
  const file = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') };
  await operation.locator('input[type=file]:visible').setInputFiles(file);
  expect(await execute(operation)).toBe('201');
  expect(await operation.innerText()).toContain('a.txt');
});

test.each([
  ['a wide window', 1400],
  ['a phone', 360],
])('on %s an operation and its response fit, in both themes', async (_name, width) => {
  const page = await browser.open(`${service.url}/docs#/resources/postEvents`, {
    viewport: { width, height: 800 },
  });
  const operation = await operationOf(page, 'postEvents');
  expect(await execute(operation)).toBe('201');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(overflow).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
  }
});

test.each([360, 768])(
  'at a width of %i, a sent request brings its response into view',
  async (width) => {
    const page = await browser.open(`${service.url}/docs#/resources/getBooks`, {
      viewport: { width, height: 800 },
    });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const operation = await operationOf(page, 'getBooks');
    expect(await execute(operation)).toBe('200');
    const isInView = async () => {
      const box = await operation.locator('.output .status').boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= 800;
    };
    await expect.poll(isInView, patient).toBe(true);
  },
);

test('it loads nothing until it is opened', async () => {
  const page = await browser.open(`${service.url}/`, wide);
  await page.waitForLoadState('networkidle');
  const loaded = await page.evaluate<string[]>(
    'performance.getEntriesByType("resource").map(({ name }) => name)',
  );
  expect(loaded.filter((name) => /docs|operation|openapi/.test(name))).toEqual([]);
});
