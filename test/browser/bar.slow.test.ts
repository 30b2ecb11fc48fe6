/**
 * The bar of all pages: journeys of its users by mouse, by keyboard, on a phone, with an account.
 */

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { signUp } from '../support/accounts.js';
import { violationsOf } from '../support/axe.js';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';

const service = useService();
const strict = useService({ accounts: 'required', signUpsPerHour: 1000 });
const browser = useBrowser();
const patient = { timeout: 30_000 };
const wide = { viewport: { width: 1400, height: 900 } };
const failing = { ...wide, expectedErrors: /status of (?:401|503)/ };

const bar = (page: Page) => page.locator('#bar-open');
const panel = (page: Page) => page.getByRole('dialog', { name: 'Your sandbox' });
const said = (page: Page) => panel(page).getByRole('status');
const nameIn = (page: Page) => page.locator('#bar-name').innerText();

async function openPanel(page: Page): Promise<void> {
  await bar(page).click();
  await panel(page).waitFor();
}
const press = (page: Page, name: string) =>
  panel(page).getByRole('button', { name, exact: true }).click();
const says = (page: Page, text: string | RegExp) => said(page).getByText(text).waitFor();

async function newSandbox(page: Page): Promise<string> {
  await openPanel(page);
  await press(page, 'New sandbox');
  await says(page, 'You are in the new sandbox');
  return nameIn(page);
}

/** The server that the console's request went to, and its response. */
async function sendFromConsole(page: Page, method: string, path: string): Promise<string> {
  const responding = page.waitForResponse(
    (response) => response.url() === service.url + path && response.request().method() === method,
  );
  await page.locator('#console-verb').selectOption(method);
  await page.locator('#console-path').fill(path);
  await page.locator('#console').getByRole('button', { name: 'Send' }).click();
  const response = await responding;
  const sandbox = response.request().headers()['x-sandbox'] ?? 'shared';
  return `${response.status()} ${sandbox}`;
}

test('a tester creates a sandbox, moves its clock, and sees a token expire in the reference', async () => {
  const page = await browser.open(`${service.url}/tls`, failing);
  expect(await bar(page).innerText()).toMatch(/^Sandbox: mine-/);
  const name = await newSandbox(page);
  expect(name).toMatch(/^mine-[a-z0-9]{10}$/);

  const filled = page.waitForResponse('**/api/auth/jwt/login');
  await page.goto(`${service.url}/docs#/auth/getAuthJwtMe`);
  expect((await filled).request().headers()['x-sandbox']).toBe(name);
  const operation = page.locator('li:has(> a[href$="/getAuthJwtMe"])');
  await operation.locator('[data-state=filled]').waitFor();
  const execute = async () => {
    const responding = page.waitForResponse('**/api/auth/jwt/me');
    await operation.getByRole('button', { name: 'Send' }).click();
    const response = await responding;
    expect(response.request().headers()['x-sandbox']).toBe(name);
    return response;
  };
  expect((await execute()).status()).toBe(200);

  await openPanel(page);
  await press(page, '+1 h');
  await says(page, /^The clock is at/);
  await press(page, '+1 min');
  await panel(page).getByText('1 h 1 min ahead of the real time').waitFor();
  await page.keyboard.press('Escape');
  expect(await page.locator('#bar-clock').isVisible()).toBe(true);
  const expired = await execute();
  expect(expired.status()).toBe(401);
  await operation.getByText('The token expired at').waitFor();

  await openPanel(page);
  await press(page, 'Back to now');
  await panel(page).getByText(', the real time').waitFor();
  expect(await page.locator('#bar-clock').isVisible()).toBe(false);
  await page.keyboard.press('Escape');
  expect((await execute()).status()).toBe(200);
});

test('by keyboard only: a sandbox by its name, a date, a failing request, a reset', async () => {
  const page = await browser.open(`${service.url}/tls`, failing);
  const { keyboard } = page;
  const focused = () => page.evaluate<string>('document.activeElement.id');
  const tabTo = async (name: string) => {
    const hasFocus = () =>
      page.evaluate(
        `[document.activeElement.id, document.activeElement.textContent].includes(${JSON.stringify(name)})`,
      );
    for (let count = 0; count < 40 && !(await hasFocus()); count += 1) await keyboard.press('Tab');
    expect(await hasFocus(), name).toBe(true);
  };
  await tabTo('bar-open');
  await keyboard.press('Enter');
  await panel(page).getByText('A sandbox is a copy of all data').waitFor();
  await tabTo('bar-other');
  await keyboard.type('by-keyboard');
  await keyboard.press('Enter');
  await says(page, 'You are in the sandbox by-keyboard now.');

  await panel(page).getByLabel('To a date').fill('2030-01-02T03:04:05');
  await tabTo('Move');
  await keyboard.press('Enter');
  await says(page, /^The clock is at .*2030/);
  const headers = { 'X-Sandbox': 'by-keyboard' };
  const { json } = await service.send('GET /api/sandbox/clock', { headers });
  expect(json.now).toMatch(/^2030-01-0[123]T/);

  await tabTo('Fail');
  await keyboard.press('Enter');
  await says(page, 'The next request gets 503.');
  expect((await service.send('GET /api/Books/1', { headers })).status).toBe(503);
  expect((await service.send('GET /api/Books/1', { headers })).status).toBe(200);

  await tabTo('Reset');
  await keyboard.press('Enter');
  await keyboard.press('Enter');
  await says(page, 'The sandbox was reset');
  expect((await service.send('GET /api/sandbox', { headers })).json.clock.offsetSeconds).toBe(0);
  await keyboard.press('Escape');
  await expect.poll(focused).toBe('bar-open');
});

test('a plan that loses a response applies, is counted, and ends', async () => {
  const page = await browser.open(`${service.url}/tls`, failing);
  await openPanel(page);
  await panel(page).getByText('A plan', { exact: true }).click();
  await press(page, 'Start the plan');
  await says(page, 'The plan is active, with 1 rule.');
  await panel(page).getByText('busy: acted 0 times, 2 to come').waitFor();
  const headers = { 'X-Sandbox': await nameIn(page) };
  const failed = await service.send('GET /api/Books/1', { headers });
  expect([failed.status, failed.headers['retry-after']]).toEqual([503, '1']);
  await panel(page).getByLabel('Rules, as JSON').fill('{"rules": [}');
  await press(page, 'Start the plan');
  await says(page, /^The plan must be JSON/);
  await press(page, 'Stop the faults');
  await says(page, 'Nothing fails any more.');
  expect((await service.send('GET /api/Books/1', { headers })).status).toBe(200);
});

test('from the first visit, all pages and tabs use one sandbox, until another is chosen', async () => {
  const page = await browser.open(`${service.url}/`, wide);
  const name = await nameIn(page);
  expect(name).toMatch(/^mine-/);
  expect(await sendFromConsole(page, 'GET', '/api/Books/1')).toBe(`200 ${name}`);
  await page.getByText(`curl -H "X-Sandbox: ${name}"`).waitFor();
  for (const path of ['/bins', '/realtime', '/guides/pagination', '/docs', '/']) {
    await page.goto(service.url + path);
    await expect.poll(() => nameIn(page), patient).toBe(name);
  }
  const tab = await page.context().newPage();
  await tab.goto(`${service.url}/graphql`);
  expect(await nameIn(tab)).toBe(name);
  const chosen = await newSandbox(page);
  expect(chosen).not.toBe(name);
  await page.keyboard.press('Escape');
  expect(await sendFromConsole(page, 'GET', '/api/Books/1')).toBe(`200 ${chosen}`);
  await expect.poll(() => nameIn(tab), patient).toBe(chosen);
  const asked = tab.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/graphql'),
  );
  await tab.locator('.graphiql-query-editor .CodeMirror-code').getByText('BookById').waitFor();
  await tab.locator('.graphiql-execute-button:not([aria-haspopup])').click();
  expect((await asked).headers()['x-sandbox']).toBe(chosen);
});

test('the shared sandbox can be chosen', async () => {
  const page = await browser.open(`${service.url}/`, wide);
  await openPanel(page);
  await press(page, 'Use the shared one');
  await says(page, 'Requests now use no named sandbox.');
  await page.keyboard.press('Escape');
  expect(await nameIn(page)).toBe('shared');
  expect(await sendFromConsole(page, 'GET', '/api/Books/1')).toBe('200 shared');
});

test('a sandbox can be copied as a header, a URL and a curl command', async () => {
  const page = await browser.open(`${service.url}/tls`, wide);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const name = await newSandbox(page);
  let count = 0;
  const copied = async (button: string) => {
    await press(page, button);
    await panel(page).getByRole('button', { name: 'Copied' }).nth(count).waitFor();
    count += 1;
    return page.evaluate<string>('navigator.clipboard.readText()');
  };
  expect(await copied('Copy as header')).toBe(`X-Sandbox: ${name}`);
  expect(await copied('as curl')).toBe(`curl -H "X-Sandbox: ${name}" ${service.url}/api/Books/1`);
  const address = await copied('as URL');
  expect(address).toBe(`${service.url}/s/${name}`);

  await page.goto(`${address}/tls`);
  await expect.poll(() => nameIn(page), patient).toBe(name);
  await openPanel(page);
  await panel(page).getByLabel('Use a named sandbox').fill('another');
  await press(page, 'Use');
  await page.waitForURL(`${service.url}/s/another/tls`);
});

describe('where accounts are required', () => {
  test('without a key the panel leads to the account page', async () => {
    const page = await browser.open(`${strict.url}/tls`, failing);
    await openPanel(page);
    await says(page, 'This service requires an account');
  });

  test('sandboxes, clocks and URLs belong to the account', async () => {
    const account = await signUp(strict);
    const page = await browser.open(`${strict.url}/tls`, wide);
    await page.evaluate(`localStorage.setItem('practice-api-service-key', '${account.key}')`);
    await page.reload();
    await expect.poll(() => nameIn(page)).toBe('default');
    await openPanel(page);
    await press(page, '+1 h');
    await says(page, /^The clock is at/);
    const { json } = await account.send('GET /api/sandbox/clock');
    expect(json.offsetSeconds).toBe(3600);
    await press(page, 'as URL');
    await panel(page).getByText(`${strict.url}/s/~`).waitFor();
    const { json: addresses } = await account.send('GET /api/sandbox/address');
    expect(addresses).toEqual([expect.objectContaining({ sandbox: 'default' })]);
  });
});

test('the open panel is accessible and fits its window, on a phone and a desktop, in both themes', async () => {
  const page = await browser.open(`${service.url}/tls`, wide);
  await openPanel(page);
  await press(page, '+1 min');
  await says(page, /The clock is at/);
  await panel(page).getByText('A plan', { exact: true }).click();
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1400, 360]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 780 });
      const look = `${colorScheme} ${width}`;
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow, look).toBeLessThanOrEqual(0);
      expect(await violationsOf(page), look).toEqual([]);
    }
  }
});
