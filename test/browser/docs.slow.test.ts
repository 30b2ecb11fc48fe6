/** The API reference in a browser. */

import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
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
  const operation = page.locator(`[id$="-${id}"]`);
  await operation.getByRole('button', { name: 'Execute' }).waitFor();
  return operation;
}

/** Sends the request of an operation and returns the status that the page shows. */
async function execute(operation: Locator): Promise<string> {
  await operation.getByRole('button', { name: 'Execute' }).click();
  const status = operation.locator('.live-responses-table .response-col_status');
  await expect.poll(() => status.last().innerText(), patient).toMatch(/\d{3}/);
  return (await status.last().innerText()).trim();
}

/** All credentials are filled in once the last is, the token of a login. */
async function filledIn(page: Page): Promise<void> {
  await page.waitForResponse('**/api/auth/jwt/login');
  await expect.poll(() => page.locator('.btn.authorize.locked').count(), patient).toBe(1);
}

/** Opens the operation and clears the credentials that were filled in for its scheme. */
async function withoutCredentials(page: Page, id: string): Promise<Locator> {
  await page.locator(`[id$="-${id}"] .opblock-summary-control`).click();
  const operation = await operationOf(page, id);
  await operation.getByRole('button', { name: 'authorization button' }).click();
  const dialog = page.locator('.dialog-ux');
  await dialog.getByRole('button', { name: 'Remove authorization' }).click();
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  return operation;
}

async function tagOf(id: string): Promise<string> {
  const { json } = await service.send('GET /openapi.json?formats=all');
  const operations: readonly { operationId: string; tags: string[] }[] = Object.values(
    json.paths as Record<string, object>,
  ).flatMap((each) => Object.values(each));
  return operations.find(({ operationId }) => operationId === id)?.tags[0] ?? '';
}

async function openFilledIn(hash: string, options = {}): Promise<Page> {
  const page = await browser.open(`${service.url}/health`, { ...wide, ...options });
  const filled = filledIn(page);
  await page.goto(`${service.url}/docs${hash}`);
  await filled;
  return page;
}

test('every area is a section of it', async () => {
  const page = await browser.open(`${service.url}/docs`, wide);
  await page.locator('.opblock-tag').first().waitFor();
  const { json } = await service.send('GET /openapi.json?formats=all');
  const titles = json.tags.map((tag: Tag) => tag['x-displayName']);
  const shown = await page.locator('.opblock-tag > a').allInnerTexts();
  expect(shown.map((text) => text.trim())).toEqual(titles);
  const areas = page.getByRole('navigation', { name: 'Areas' });
  for (const title of titles) expect(await areas.innerText()).toContain(title);
  await areas.getByRole('link', { name: 'Rate limit' }).click();
  await page.getByText('/api/RateLimit/status').waitFor();
});

test('without scripts it lists every operation with its summary', async () => {
  const page = await browser.open(`${service.url}/docs`, { ...wide, javaScriptEnabled: false });
  const { json } = await service.send('GET /openapi.json?formats=all');
  const listed = await page.locator('#viewer li').allTextContents();
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
  await page.getByRole('link', { name: 'Rate limit in the reference' }).click();
  await page.waitForURL(/\/docs#\/rate-limit$/);
  await page.getByText('/api/RateLimit/status').waitFor();
  expect(await page.getByRole('heading', { name: 'Rate limit' }).first().isVisible()).toBe(true);
});

test('links lead to an operation and to an area, and so do old links', async () => {
  const page = await browser.open(`${service.url}/health`, wide);
  for (const [hash, path] of [
    ['#/auth/getAuthBasic', '/api/auth/basic'],
    ['#tag/rate-limit', '/api/RateLimit/status'],
    ['#tag/auth/GET/api/auth/basic', '/api/auth/basic'],
  ]) {
    await page.goto('about:blank');
    await page.goto(`${service.url}/docs${hash}`);
    await expect
      .poll(() => page.locator('.opblock-summary-path').allInnerTexts(), patient)
      .toContain(path);
  }
});

test('the filter shows only the operations that contain the typed text', async () => {
  const page = await browser.open(`${service.url}/docs`, wide);
  const paths = page.locator('.opblock-summary-path');
  await page.getByLabel('Filter operations').fill('isbn');
  await expect
    .poll(async () => (await paths.allInnerTexts()).map((text) => text.trim()), patient)
    .toEqual(['/api/Books/isbn/{isbn}']);
  await page.getByLabel('Filter operations').fill('');
  await expect.poll(() => paths.count(), patient).toBe(0);
  await page.getByRole('heading', { name: 'GraphQL' }).first().waitFor();
});

test('a request is sent to this service, and its response shown', async () => {
  const page = await browser.open(`${service.url}/docs#/methods/getMethodsGet`, wide);
  const operation = await operationOf(page, 'getMethodsGet');
  const responding = page.waitForResponse(`${service.url}/api/methods/get`);
  expect(await execute(operation)).toBe('200');
  expect((await responding).status()).toBe(200);
  expect(await operation.innerText()).toContain('GET request received');
});

test('the viewer reports no problem in the description', async () => {
  const page = await browser.open(`${service.url}/health`, wide);
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  const filled = filledIn(page);
  await page.goto(`${service.url}/docs`);
  await filled;
  expect(await page.locator('.errors-wrapper').count()).toBe(0);
  expect(said).toEqual([]);
});

test('the credentials of each scheme are filled in', async () => {
  const page = await openFilledIn('#/auth', { expectedErrors: /status of 401/ });
  for (const id of [
    'getAuthBasic',
    'getAuthDigest',
    'getAuthApiKeyQuery',
    'getAuthBearer',
    'getAuthJwtMe',
    'getAuthOauthProtected',
    'getAuthBasicByUserByPassword',
  ]) {
    await page.locator(`[id$="-${id}"] .opblock-summary-control`).click();
    expect(await execute(await operationOf(page, id)), id).toBe('200');
  }
});

test('every scheme is filled in, or explains how to get its credentials; each links to a guide', async () => {
  const page = await openFilledIn('');
  const { json } = await service.send('GET /openapi.json?formats=all');
  await page.locator('.btn.authorize').first().click();
  const schemes = page.locator('.dialog-ux .auth-container');
  await schemes.first().waitFor();
  const instructions = new Map<string, string>();
  for (const name of Object.keys(json.components.securitySchemes)) {
    const heading = page.locator('.dialog-ux h4', { hasText: new RegExp(`^${name}\\b`) });
    const part = heading.locator('xpath=..');
    const guide = part.getByRole('link', { name: 'The guide' });
    const { pathname } = new URL((await guide.getAttribute('href')) ?? '', service.url);
    expect((await service.send(`HEAD ${pathname}`)).status, name).toBe(200);
    const text = (await part.innerText()).replaceAll(/\s+/g, ' ');
    if (!/\bAuthorized\b/.test(text)) instructions.set(name, text);
  }
  expect([...instructions.keys()].sort()).toEqual(
    [
      'messageSignature',
      'mtls',
      'oidc',
      'oidcRegistration',
      'serviceKey',
      'session',
      'sigv4',
    ].sort(),
  );
  expect(instructions.get('oidc')).toContain('The access token of a login.');
  expect(instructions.get('oidcRegistration')).toContain('POST /oidc/register');
  expect(instructions.get('session')).toContain('POST /api/auth/session/login');
});

test('it keeps a login as cookies do, and responds to digest challenges of every algorithm', async () => {
  const page = await openFilledIn('#/auth', rejected);
  for (const id of [
    'postAuthSessionLogin',
    'getAuthSessionMe',
    'getHttpbinDigestAuthByQopByUserByPasswdByAlgorithm',
  ]) {
    await page.evaluate(`location.hash = '#/${await tagOf(id)}/${id}'`);
    expect(await execute(await operationOf(page, id)), id).toBe('200');
  }
});

test('no operation shows a warning before anyone types', async () => {
  const page = await openFilledIn('#/resources/postEvents');
  await operationOf(page, 'postEvents');
  expect(await page.locator('#viewer .invalid, #viewer .validation-errors').count()).toBe(0);
});

test('the first load is at most 30 KiB, and the viewer loads after it', async () => {
  const { bytes, files } = await weighPage(service, '/docs');
  expect(bytes).toBeLessThanOrEqual(30 * 1024);
  expect(files.filter((file) => /viewer|openapi/.test(file))).toEqual([]);
});

test('without credentials it shows the challenge, and the browser opens no dialog', async () => {
  const page = await openFilledIn('#/auth', rejected);
  for (const [scheme, challenge, id] of [
    ['basic', 'Basic', 'getAuthBasic'],
    ['digest', 'Digest', 'getAuthDigest'],
  ] as const) {
    const operation = await withoutCredentials(page, id);
    const responding = page.waitForResponse(`${service.url}/api/auth/${scheme}`);
    // While the browser shows a password dialog, there is no response.
    expect(await execute(operation)).toBe('401');
    expect((await responding).headers()['www-authenticate']).toMatch(new RegExp(`^${challenge} `));
    expect(await operation.innerText()).toContain('The Authorization header is missing');
  }
  const operation = page.locator('[id$="-getAuthBasic"]');
  await operation.getByRole('button', { name: 'authorization button' }).click();
  const dialog = page.locator('.dialog-ux');
  await dialog.getByLabel('Username').fill('somebody');
  await dialog.getByLabel('Password').fill('wrong');
  await dialog.getByRole('button', { name: 'Apply credentials' }).click();
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  await expect
    .poll(() => operation.innerText(), patient)
    .toContain('The user name or the password is wrong');
});

test('on a phone an operation and its response fit the window', async () => {
  const page = await openFilledIn('#/resources/postEvents', {
    viewport: { width: 360, height: 800 },
  });
  expect(await execute(await operationOf(page, 'postEvents'))).toBe('201');
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  expect(overflow).toBe(0);
});

test('the viewer has the theme of the page', async () => {
  const page = await browser.open(`${service.url}/docs`, { ...wide, colorScheme: 'dark' });
  await page.locator('html.dark-mode .swagger-ui').waitFor();
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await page.locator('html:not(.dark-mode) .swagger-ui').waitFor();
});

test('it loads nothing until it is opened', async () => {
  const page = await browser.open(`${service.url}/`, wide);
  await page.waitForLoadState('networkidle');
  const loaded = await page.evaluate<string[]>(
    'performance.getEntriesByType("resource").map(({ name }) => name)',
  );
  expect(loaded.filter((name) => /docs|viewer|openapi/.test(name))).toEqual([]);
});
