/** The pages of the issuer, which hold no script: wide and narrow, in either theme. */

import { expect, test } from 'vitest';
import { totpAt } from '../../src/http/credentials/totp.js';
import { useBrowser } from '../support/browser.js';
import { issuerAt, usualRequest } from '../support/oidc.js';
import { useService } from '../support/service.js';
import { lookAt } from './look-at.js';

const service = useService();
const browser = useBrowser();

const addressOf = (more: Readonly<Record<string, string>> = {}) =>
  `${service.url}/s/pages/oidc/authorize?${new URLSearchParams(usualRequest(more))}`;

test('login, a wrong password, the second step and consent', { timeout: 120_000 }, async () => {
  const page = await browser.open(addressOf());
  await lookAt(page, 'Log in');
  await page.getByLabel('User name').fill('alan');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('alert').waitFor();
  await lookAt(page, 'Log in');
  await page.getByLabel('User name').fill('alan');
  await page.getByLabel('Password').fill('alan-secret');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByLabel('Code').waitFor();
  await lookAt(page, 'One more step');
  const secret = (await page.locator('code').first().textContent()) ?? '';
  await page.getByLabel('Code').fill(totpAt(secret, Date.now()));
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Allow' }).waitFor();
  await lookAt(page, 'Allow this?');
});

test('an error', { timeout: 60_000 }, async () => {
  const expectedErrors = /status of 400/;
  const page = await browser.open(addressOf({ client_id: 'nobody' }), { expectedErrors });
  await lookAt(page, 'Request rejected');
});

test('a device is let in by keyboard alone', { timeout: 120_000 }, async () => {
  const issuer = issuerAt(service, '/s/pages');
  const { json } = await issuer.post('device_authorization', { client_id: 'demo-device' });
  const page = await browser.open(`${service.url}/s/pages/oidc/device`);
  await lookAt(page, 'Connect a device');
  await page.keyboard.press('Tab');
  await page.keyboard.type(json.user_code);
  await page.keyboard.press('Enter');
  await page.getByLabel('Password').waitFor();
  await lookAt(page, 'Log in');
  await page.keyboard.press('Tab');
  await page.keyboard.type('ada');
  await page.keyboard.press('Tab');
  await page.keyboard.type('ada-secret');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Allow' }).waitFor();
  await lookAt(page, 'Allow this?');
  await page.keyboard.press('Tab');
  expect(await page.locator(':focus').textContent()).toBe('Allow');
  await page.keyboard.press('Enter');
  await page.getByText('connected').first().waitFor();
  const redeemed = await issuer.post('token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: json.device_code,
    client_id: 'demo-device',
  });
  expect(redeemed.status, redeemed.text).toBe(200);
});
