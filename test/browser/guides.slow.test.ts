/**
 * The guides in a browser: sent examples, solutions, progress, search, by mouse and by keyboard.
 */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';

const service = useService();
const browser = useBrowser();
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const wide = { viewport: { width: 1400, height: 900 } };
const patient = { timeout: 30_000 };
/** Failures that guides cause on purpose. */
const failures = { ...wide, expectedErrors: /status of 4\d\d/ };

const open = (path: string, options: Parameters<typeof browser.open>[1] = wide) =>
  browser.open(`${service.url}${path}`, options);

async function sendExample(page: Page, command: string): Promise<string> {
  const call = page.locator('.call[data-request]', { hasText: command }).first();
  await call.getByRole('button', { name: /^Send/ }).click();
  await call.locator('.answer').waitFor();
  return call.locator('.answer').innerText();
}

function openFolds(page: Page): Promise<unknown> {
  return page.evaluate(
    'document.querySelectorAll("details").forEach((each) => { each.open = true })',
  );
}

test('a beginner reads the first guide, sends its requests, does an exercise, and finds it marked later', async () => {
  const page = await open('/', failures);
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: 'Look up' })
    .click();
  await page.getByRole('link', { name: 'All guides' }).click();
  await page.locator('.paths').getByRole('link', { name: 'Getting started' }).first().click();
  await page.waitForURL(/\/guides\/getting-started$/);

  const book = await sendExample(page, '/api/Books/1');
  expect(book).toMatch(/^GET \/api\/Books\/1 HTTP\/1\.1\n/);
  expect(book).toMatch(/X-Sandbox: mine-[a-z0-9]{10}\n/);
  expect(book).toContain('HTTP/1.1 200 OK');
  expect(book).toContain('content-type: application/json');
  expect(book).toContain('"title": "The Hobbit"');
  expect(await sendExample(page, '-X POST')).toContain('405 Method Not Allowed');
  expect(await sendExample(page, 'auth/basic')).toContain('401 Unauthorized');
  expect(await sendExample(page, '-u demo:basic-secret')).toContain('"user": "demo"');

  await page.getByLabel('I have read this guide').check();
  await page.locator('.steps').getByRole('link', { name: 'HTTP methods' }).click();
  await page.waitForURL(/\/guides\/methods$/);
  await page.locator('.rail .is-read', { hasText: 'Getting started' }).first().waitFor();

  const solutions = page.locator('details', { hasText: 'Solutions' });
  expect(await solutions.getAttribute('open')).toBeNull();
  await page.getByText('Solutions', { exact: true }).click();
  expect(await solutions.locator('.call').first().isVisible()).toBe(true);
  await page.getByLabel('Exercise 2 is done').check();
  await page.reload();
  expect(await page.getByLabel('Exercise 2 is done').isChecked()).toBe(true);
  expect(await page.getByLabel('Exercise 1 is done').isChecked()).toBe(false);
  expect(await page.locator('#guide-progress').innerText()).toBe(
    'Guides read: 1. Exercises done here: 1 of 6.',
  );
});

test('a sent example changes only the sandbox of the reader', async () => {
  const page = await open('/guides/getting-started');
  const changed = await sendExample(page, '-X PATCH');
  expect(changed).toContain('"price": 5');
  expect(changed).toMatch(/X-Sandbox: mine-[a-z0-9]{10}-my-first\n/);
  const { json } = await service.send('GET /api/Books/1', { headers: { 'X-Sandbox': 'my-first' } });
  expect(json.price).toBe(12.99);
  const before = await page.locator('#guide-sandbox').innerText();
  expect(before).toBe(`your sandbox ${await page.locator('#bar-name').innerText()}`);
  await page.getByRole('button', { name: /^Sandbox: mine-/ }).click();
  await page.getByRole('button', { name: 'New sandbox' }).click();
  await expect.poll(() => page.locator('#guide-sandbox').innerText(), patient).not.toBe(before);
});

test('a guide inside a sandbox sends its requests there', async () => {
  const page = await open('/s/lesson/guides/getting-started');
  expect(await page.locator('.call').first().innerText()).toContain('/s/lesson/api/Books/1');
  const response = await sendExample(page, '/api/Books/1');
  expect(response).toMatch(/^GET \/s\/lesson\/api\/Books\/1 HTTP/);
  expect(response).not.toMatch(/^X-Sandbox: /m);
});

test('a redirect, a cookie and a shell function are sent as well as a browser can', async () => {
  const page = await open('/guides/http/redirects', failures);
  expect(await sendExample(page, '/api/http/redirect/')).toMatch(
    /response is a redirect|HTTP\/1\.1 200/,
  );
  await page.goto(`${service.url}/guides/graphql`);
  await openFolds(page);
  expect(await sendExample(page, 'gql ')).toContain('HTTP/1.1');
  await page.goto(`${service.url}/guides/http/cookies`);
  await openFolds(page);
  expect(await sendExample(page, '-b ')).toContain('HTTP/1.1 200 OK');
});

test('a client chosen for one command applies to all, is copied, and is remembered', async () => {
  const page = await open('/guides/getting-started', failures);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
  const command = (text: string) => page.locator('.call', { hasText: text }).first();
  const curl = await command('/api/Books/1').locator('.command').innerText();
  expect(curl).toContain('curl');

  await page.locator('#client-1-0').focus();
  await page.keyboard.press('ArrowRight');
  await command('Invoke-WebRequest').getByRole('button', { name: /^Copy/ }).click();
  await expect.poll(copied, patient).toContain(`-Uri '${service.url}/api/Books/1'`);
  for (const [label, starts] of [
    ['Python', 'import requests'],
    ['HTTPie', 'http '],
    ['fetch', 'const response = await fetch('],
  ] as const) {
    await page.locator('.clients').nth(1).getByText(label, { exact: true }).click();
    await command('/api/Books/1').getByRole('button', { name: /^Copy/ }).click();
    await expect.poll(copied, patient).toMatch(new RegExp(`^${starts.replace('(', '\\(')}`));
  }
  // The request is the same for every client shown.
  expect(await sendExample(page, '/api/Books/1')).toContain('HTTP/1.1 200 OK');

  await page.goto(`${service.url}/guides/methods`);
  await page.locator('.call', { hasText: 'await fetch(' }).first().waitFor();
  await page.locator('.clients').first().getByText('curl', { exact: true }).click();
  await page.locator('.call', { hasText: 'curl' }).first().waitFor();
  await expect
    .poll(() => page.locator('.call', { hasText: 'await fetch(' }).count(), patient)
    .toBe(0);
});

test('by keyboard only: search, read, send, open a solution', async () => {
  const page = await open('/guides', failures);
  const { keyboard } = page;
  await page.locator('html.has-script').waitFor();
  await keyboard.press('/');
  await keyboard.type('what follows the word basic');
  const found = page.locator('#search-found a');
  await expect.poll(() => found.count(), patient).toBeGreaterThan(0);
  await keyboard.press('ArrowDown');
  expect(await page.evaluate('document.activeElement.closest("#search-found") !== null')).toBe(
    true,
  );
  await keyboard.press('Enter');
  await page.waitForURL(/\/guides\/auth\/basic#what-each-failure-means$/);

  await page.getByRole('button', { name: 'Send example 1', exact: true }).focus();
  await keyboard.press('Enter');
  await page.locator('.call .answer').first().waitFor();
  expect(await page.locator('.call .answer').first().innerText()).toContain('401 Unauthorized');
  await page.getByText('Solutions', { exact: true }).focus();
  await keyboard.press('Enter');
  await page.getByLabel('Exercise 1 is done').focus();
  await keyboard.press('Space');
  await expect.poll(() => page.locator('#guide-progress').innerText(), patient).toContain('1 of 5');
  await page.locator('details[open]', { hasText: 'Solutions' }).waitFor();
});

test('the index loads on the first search, and Enter opens the first result', async () => {
  const page = await open('/guides/auth/basic');
  const loaded = () =>
    page.evaluate<string[]>('performance.getEntriesByType("resource").map(({ name }) => name)');
  await page.waitForLoadState('networkidle');
  expect((await loaded()).filter((name) => /search\.json/.test(name))).toEqual([]);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('qqqqxxxx');
  await expect
    .poll(() => page.locator('#search-outcome').innerText(), patient)
    .toContain('No results');
  await page.getByRole('searchbox').fill('webhooks');
  await page.locator('#search-found a').first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/guides\/webhooks/);
});

test('on a phone the guides and the contents of a guide are one tap away', async () => {
  const page = await open('/guides/auth/basic', { viewport: { width: 360, height: 800 } });
  expect(await page.locator('.rail').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'On this page' }).click();
  await page.locator('.here').getByRole('link', { name: 'Exercises' }).click();
  await expect.poll(() => page.locator('.here').isVisible(), patient).toBe(false);
  await page.locator('.tools').getByRole('button', { name: 'Guides' }).click();
  await page.locator('.rail').getByRole('link', { name: 'GraphQL', exact: true }).last().click();
  await page.waitForURL(/\/guides\/graphql$/);
});

test('without scripts a guide is complete, and offers nothing that needs them', async () => {
  const page = await open('/guides/auth/basic', { ...wide, javaScriptEnabled: false });
  expect(await page.getByRole('heading', { level: 2 }).count()).toBeGreaterThan(5);
  expect(await page.getByRole('button').count()).toBe(0);
  await page.locator('.rail').getByRole('link', { name: 'GraphQL', exact: true }).last().click();
  await page.waitForURL(/\/guides\/graphql$/);
});

const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1400, 360].map((width) => [colorScheme, width] as const),
);

test.each(['/guides/auth/basic'])(
  '%s is accessible in both themes, wide and narrow, also when unfolded',
  { timeout: 240_000 },
  async (path) => {
    const page = await open(path, failures);
    await openFolds(page);
    await sendExample(page, '/api/');
    await page.evaluate(axe);
    for (const [colorScheme, width] of looks) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow, `${colorScheme} ${width}`).toBeLessThanOrEqual(0);
      const { violations } = await page.evaluate<AxeResults>('axe.run()');
      expect(
        violations.flatMap(({ id, nodes }) =>
          nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
        ),
        `${colorScheme} ${width}`,
      ).toEqual([]);
    }
  },
);
