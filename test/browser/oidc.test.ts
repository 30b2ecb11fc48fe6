/** The pages of the issuer, which hold no script: wide and narrow, in either theme. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { totpAt } from '../../src/http/credentials/totp.js';
import { useBrowser } from '../support/browser.js';
import { usualRequest } from '../support/oidc.js';
import { useService } from '../support/service.js';

const service = useService();
const browser = useBrowser();
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const looks = [
  ['light', 1400],
  ['dark', 360],
] as const;

async function look(page: Page, title: string): Promise<void> {
  expect(await page.getByRole('heading').textContent()).toBe(title);
  await page.evaluate(axe);
  for (const [colorScheme, width] of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 844 });
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(overflow, `${title} ${width}`).toBeLessThanOrEqual(0);
    const { violations } = await page.evaluate<AxeResults>('axe.run()');
    const told = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    expect(told, `${title} ${colorScheme} ${width}`).toEqual([]);
  }
}

const addressOf = (more: Readonly<Record<string, string>> = {}) =>
  `${service.url}/s/pages/oidc/authorize?${new URLSearchParams(usualRequest(more))}`;

test('login, a wrong password, the second step and consent', { timeout: 120_000 }, async () => {
  const page = await browser.open(addressOf());
  await look(page, 'Log in');
  await page.getByLabel('User name').fill('alan');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('alert').waitFor();
  await look(page, 'Log in');
  await page.getByLabel('User name').fill('alan');
  await page.getByLabel('Password').fill('alan-secret');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByLabel('Code').waitFor();
  await look(page, 'One more step');
  const secret = (await page.locator('code').first().textContent()) ?? '';
  await page.getByLabel('Code').fill(totpAt(secret, Date.now()));
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Allow' }).waitFor();
  await look(page, 'Allow this?');
});

test('an error', { timeout: 60_000 }, async () => {
  const expectedErrors = /status of 400/;
  const page = await browser.open(addressOf({ client_id: 'nobody' }), { expectedErrors });
  await look(page, 'This request is refused');
});
