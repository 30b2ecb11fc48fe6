/** The search in a browser: the same on every page, by mouse and by keyboard. */

import { expect, test } from 'vitest';
import { violationsOf } from '../support/axe.js';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';

const service = useService();
const browser = useBrowser();
const patient = { timeout: 30_000 };
const wide = { viewport: { width: 1400, height: 900 } };

test.each([
  '/',
  '/guides',
  '/guides/auth/basic',
  '/docs',
  '/graphql',
  '/bins',
  '/realtime',
  '/class',
  '/account',
  '/tls',
  '/api',
  '/downloads',
  '/s/mine/',
  '/s/mine/guides/auth/basic',
  '/nothing-is-here',
])('%s opens the search by Ctrl+K, by the slash and by its button', async (path) => {
  const page = await browser.open(service.url + path, { ...wide, expectedErrors: /status of 404/ });
  const input = page.locator('#search-text');
  const button = page.getByRole('button', { name: 'Search', exact: true });
  await button.waitFor();
  for (const open of [
    () => page.keyboard.press('Control+k'),
    () => page.keyboard.press('/'),
    () => button.click(),
  ]) {
    // A busy browser can lose a key that is pressed right after the page has loaded.
    const isOpened = async () => {
      await open();
      return input.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
    };
    await expect.poll(isOpened, patient).toBe(true);
    expect(await input.and(page.locator(':focus')).count()).toBe(1);
    await page.keyboard.press('Escape');
    await input.waitFor({ state: 'hidden' });
  }
  await page.keyboard.press('Control+k');
  await page.keyboard.type('docker');
  const first = page.locator('#search-found a').first();
  await expect.poll(() => first.innerText(), patient).toMatch(/Hosting/);
  expect(await page.locator('#search-found mark').first().innerText()).toMatch(/docker/i);
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`${/^\/s\/mine/.exec(path)?.[0] ?? ''}/guides/hosting$`));
});

test('without results it offers similar words, and pages to begin with', async () => {
  const page = await browser.open(`${service.url}/`, wide);
  await page.keyboard.press('/');
  await page.keyboard.type('webhoks');
  await page.locator('#search-outcome').getByRole('button', { name: 'webhooks' }).click();
  const first = page.locator('#search-found a').first();
  await expect.poll(() => first.innerText(), patient).toMatch(/Webhooks/);
  await page.locator('#search-text').fill('qqqqxxxx');
  await page.getByText('No results for “qqqqxxxx”.').waitFor();
  expect(await first.innerText()).toContain('Getting started');
});

test('it fits a phone, and is accessible in both themes', async () => {
  const page = await browser.open(`${service.url}/guides`, wide);
  await page.keyboard.press('/');
  await page.keyboard.type('retry after');
  await page.locator('#search-found a').first().waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1400, 390, 320]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow, `${colorScheme} ${width}`).toBeLessThanOrEqual(0);
      expect(await violationsOf(page), `${colorScheme} ${width}`).toEqual([]);
    }
  }
});
