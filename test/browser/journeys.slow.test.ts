/**
 * Whole journeys over several pages, by keyboard only where possible, and with the bar's panel
 * open.
 */

import { expect, test } from 'vitest';
import { violationsOf } from '../support/axe.js';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';
import { tabTo } from './tab-to.js';

const service = useService();
const strict = useService({ accounts: 'required', signUpsPerHour: 1000 });
const browser = useBrowser();
const patient = { timeout: 30_000 };
const wide = { viewport: { width: 1400, height: 900 } };
const failing = { ...wide, expectedErrors: /status of 401/ };

test('by keyboard only: from the front page to a guide, to the response of an example', async () => {
  const page = await browser.open(`${service.url}/`, wide);
  await tabTo(page, 'nav a', 'Look up');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/start\/look-up$/);
  await tabTo(page, 'main a', 'All guides');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/guides$/);
  await page.locator('html.has-script').waitFor();
  await tabTo(page, 'main a', 'Getting started');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/guides\/getting-started$/);
  await page.locator('.clients').first().waitFor();
  await tabTo(page, '.clients input');
  await page.keyboard.press('ArrowRight');
  await page.locator('.call', { hasText: 'Invoke-WebRequest' }).first().waitFor();
  await tabTo(page, '.call .send');
  await page.keyboard.press('Enter');
  await page.locator('.answer', { hasText: '200 OK' }).waitFor();
});

test('by keyboard only: a sandbox, its clock ahead, a token that has expired in the reference', async () => {
  const page = await browser.open(`${service.url}/health`, failing);
  await page.goto(`${service.url}/docs`);
  await tabTo(page, '#bar-open');
  await page.keyboard.press('Enter');
  await tabTo(page, '#bar-panel button', 'New sandbox');
  await page.keyboard.press('Enter');
  await page.getByText('You are in the new sandbox').waitFor();
  await page.keyboard.press('Escape');

  await tabTo(page, '#filter');
  await page.keyboard.type('jwt/me');
  await expect.poll(() => page.locator('#results .row').count(), patient).toBe(1);
  await tabTo(page, '#results .row');
  await page.keyboard.press('Enter');
  await page.locator('[data-state=filled]').waitFor();
  await tabTo(page, '.execute', 'Send');
  const execute = async () => {
    const responding = page.waitForResponse('**/api/auth/jwt/me');
    await page.keyboard.press('Enter');
    return (await responding).status();
  };
  expect(await execute()).toBe(200);

  await page.keyboard.press('Control+Home');
  await tabTo(page, '#bar-open');
  await page.keyboard.press('Enter');
  await tabTo(page, '#bar-panel button', '+1 h');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('1 h ahead of the real time').waitFor();
  await page.keyboard.press('Escape');
  await tabTo(page, '.execute', 'Send');
  expect(await execute()).toBe(401);
});

test('where accounts are required a user signs up from the front page, and the console has the key', async () => {
  const page = await browser.open(`${strict.url}/`, failing);
  const send = () => page.locator('#console').getByRole('button', { name: 'Send' }).click();
  const shown = () => page.locator('#console-answer').innerText();
  await page.getByText('This service requires an account').waitFor();
  await page.locator('#console-path').fill('/api/Books/1');
  await send();
  await expect.poll(shown, patient).toContain('401 Unauthorized');

  await page.getByRole('link', { name: 'Sign up' }).click();
  await page.getByLabel('Name').fill('A stranger');
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByRole('heading', { name: 'Your key' }).waitFor();
  const key = await page.locator('#key').inputValue();
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('button', { name: 'Sandbox: default' }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await violationsOf(page), colorScheme).toEqual([]);
  }

  await page.getByRole('link', { name: 'Practice API' }).click();
  await page.waitForURL(`${strict.url}/`);
  await page.locator('#console-path').fill('/api/Books/1');
  const asked = page.waitForRequest('**/api/Books/1');
  await send();
  expect((await asked).headers()['x-service-key']).toBe(key);
  await expect.poll(shown, patient).toContain('"title": "The Hobbit"');
});

test('the front page and a guide are accessible while the panel is open', async () => {
  const page = await browser.open(`${service.url}/`, wide);
  for (const path of ['/', '/guides/auth/basic']) {
    await page.goto(`${service.url}${path}`);
    await page.locator('html.has-script').waitFor();
    await page.locator('#bar-open').click();
    await page.getByRole('dialog', { name: 'Your sandbox' }).waitFor();
    for (const [colorScheme, width] of [
      ['light', 1400],
      ['dark', 360],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 780 });
      expect(await violationsOf(page), `${path} ${colorScheme} ${width}`).toEqual([]);
    }
    await page.setViewportSize(wide.viewport);
  }
});
