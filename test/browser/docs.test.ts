/** The API reference in a browser. */

import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';

const service = useService();
const browser = useBrowser();
const patient = { timeout: 30_000 };
const wide = { viewport: { width: 1400, height: 900 } };

test('every area is a section of it', async () => {
  const page = await browser.open(`${service.url}/docs`, wide);
  const sections = page.getByRole('navigation', { name: /^Sidebar/ });
  await sections.getByRole('button', { name: 'GraphQL' }).first().waitFor();
  const { json } = await service.send('GET /openapi.json');
  const shown = await sections.innerText();
  for (const tag of json.tags) expect(shown).toContain(tag['x-displayName'] ?? tag.name);
});

test('the front page leads to the section of an area', async () => {
  const page = await browser.open(`${service.url}/`, wide);
  await page.getByRole('link', { name: 'Rate limit in the reference' }).click();
  await page.waitForURL(/\/docs#tag\/rate-limit$/);
  const heading = page.getByRole('heading', { name: 'Rate limit' });
  await expect.poll(() => heading.first().isVisible(), patient).toBe(true);
});

test('a request is tried against this service, and its answer shown', async () => {
  const page = await browser.open(`${service.url}/docs#tag/methods`, wide);
  await page.getByRole('button', { name: /Test Request.*get \/api\/methods\/get/s }).click();
  const dialog = page.getByRole('dialog');
  const answered = page.waitForResponse(`${service.url}/api/methods/get`);
  await dialog.getByRole('button', { name: /^Send/ }).first().click();
  expect((await answered).status()).toBe(200);
  await expect.poll(() => dialog.innerText(), patient).toContain('GET request received');
});

test('the viewer finds nothing wrong with the description', async () => {
  const page = await browser.open(`${service.url}/`, wide);
  const warnings: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text());
  });
  // Logged when the description has been checked.
  const checked = page.waitForEvent('console', (message) => /^addDocument/.test(message.text()));
  await page.goto(`${service.url}/docs`);
  await checked;
  expect(warnings).toEqual([]);
});

test.each([
  ['basic', 'Basic'],
  ['digest', 'Digest'],
])('a challenge of %s is shown, and opens no dialog of the browser', async (scheme, challenge) => {
  const expectedErrors = /status of 401/;
  const page = await browser.open(`${service.url}/docs#tag/auth/GET/api/auth/${scheme}`, {
    ...wide,
    expectedErrors,
  });
  const path = `/api/auth/${scheme}`;
  await page.getByRole('button', { name: new RegExp(`Test Request.*get ${path}\\)`, 's') }).click();
  const dialog = page.getByRole('dialog');
  const answered = page.waitForResponse(`${service.url}${path}`);
  const send = dialog.getByRole('button', { name: /^Send/ }).first();
  await send.click();
  // While the browser asks for a password, there is no answer.
  expect((await answered).headers()['www-authenticate']).toMatch(new RegExp(`^${challenge} `));
  await expect.poll(() => dialog.innerText(), patient).toContain('401 Unauthorized');
  await expect.poll(() => dialog.innerText(), patient).toContain('There is no Authorization');
  if (scheme !== 'basic') return;
  const { json } = await service.send('GET /api/auth');
  const { username, password } = json.credentials.basic;
  const row = (name: string) => dialog.locator('tr', { hasText: name });
  await row('Username').locator('[contenteditable=true]').fill(username);
  await row('Password').locator('input').fill(password);
  await send.click();
  await expect.poll(() => dialog.innerText(), patient).toContain('200 OK');
  expect(await dialog.innerText()).toContain('"authenticated": true');
});

test('the theme of the page is that of the viewer', async () => {
  const page = await browser.open(`${service.url}/docs`, { ...wide, colorScheme: 'dark' });
  await page.locator('body.dark-mode').waitFor();
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await page.locator('body.light-mode:not(.dark-mode)').waitFor();
});

test('it costs nothing until it is opened', async () => {
  const page = await browser.open(`${service.url}/`, wide);
  await page.waitForLoadState('networkidle');
  const loaded = await page.evaluate<string[]>(
    'performance.getEntriesByType("resource").map(({ name }) => name)',
  );
  expect(loaded.filter((name) => /docs|openapi/.test(name))).toEqual([]);
});
