/** The page of sessions, which has no scripts, by keyboard only. */

import { expect, test } from 'vitest';
import { totpAt } from '../../src/http/credentials/totp.js';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';
import { lookAt } from './look-at.js';

const service = useService();
const browser = useBrowser();

test('login, a wrong password, the second step and logout', { timeout: 120_000 }, async () => {
  const expectedErrors = /status of 401/;
  const page = await browser.open(`${service.url}/s/keys/api/auth/session`, { expectedErrors });
  const { keyboard } = page;
  const logIn = async (password: string) => {
    await keyboard.press('Tab');
    await keyboard.type('alan');
    await keyboard.press('Tab');
    await keyboard.type(password);
    await keyboard.press('Tab');
    await keyboard.press('Space');
    await keyboard.press('Tab');
    await keyboard.press('Enter');
  };
  await lookAt(page, 'Log in');
  await logIn('wrong');
  await page.getByRole('alert').waitFor();
  await lookAt(page, 'Log in');
  await logIn('alan-secret');
  await page.getByRole('heading', { name: 'Second factor' }).waitFor();
  await lookAt(page, 'Second factor');
  const secret = (await page.locator('code').first().textContent()) ?? '';
  await keyboard.press('Tab');
  await keyboard.type(totpAt(secret, Date.now()));
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'You are alan' }).waitFor();
  await lookAt(page, 'You are alan');
  expect(await page.getByRole('row', { name: 'Remembered' }).textContent()).toContain('yes');
  await keyboard.press('Tab');
  expect(await page.locator(':focus').textContent()).toBe('Log out');
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
});
