import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { signUp } from '../../support/accounts.js';
import { useBrowser } from '../../support/browser.js';
import { findFaintText } from '../../support/find-faint-text.js';
import { useService } from '../../support/service.js';

const service = useService({ accounts: 'required', signUpsPerHour: 1000 });
const open = useService();
const browser = useBrowser();
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const keyOf = (page: Page) => page.locator('#key').inputValue();
const storedKey = (page: Page) =>
  page.evaluate<string | null>('localStorage.getItem("practice-api-service-key")');

async function idOf(key: string): Promise<string | undefined> {
  const { json } = await service.send('GET /api/accounts/me', {
    headers: { 'X-Service-Key': key },
  });
  return json.id;
}

async function makeAccount(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Create an account' }).click();
  await heading(page, 'Your key').waitFor();
  return keyOf(page);
}

test('the policy of the page allows nothing inline and no markup from text', async () => {
  const { headers } = await service.send('GET /account');
  const policy = headers['content-security-policy'];
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'");
});

test('a user creates an account by keyboard, and sees and copies its key once', async () => {
  const page = await browser.open(`${service.url}/account`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByText('This service requires an account').waitFor();
  await page.getByLabel('Name').focus();
  await page.keyboard.type('<b>Zoë</b>');
  await page.keyboard.press('Enter');
  await heading(page, 'Your key').waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('new-key-title');
  const key = await keyOf(page);
  expect(await idOf(key)).toMatch(/^[0-9a-f]{24}$/);
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
  expect(await page.locator('#example').textContent()).toContain(`X-Service-Key: ${key}`);
  await page.getByText('<b>Zoë</b>', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'I have stored it' }).click();
  expect(await page.content()).not.toContain(key);
  expect(await keyOf(page)).toBe('');
  await page.reload();
  await heading(page, 'Your account').waitFor();
  expect(await heading(page, 'Your key').isVisible()).toBe(false);
  expect(await page.content()).not.toContain(key);
  expect(await storedKey(page)).toBe(key);
});

test('another key replaces the first, after a confirmation', async () => {
  const page = await browser.open(`${service.url}/account`);
  const first = await makeAccount(page);
  const id = await idOf(first);
  await page.getByRole('button', { name: 'Replace the key' }).click();
  await page.getByRole('button', { name: 'Keep it' }).click();
  expect(await idOf(first)).toBe(id);
  await page.getByRole('button', { name: 'Replace the key' }).click();
  await page.getByRole('button', { name: 'Replace it' }).click();
  await expect.poll(() => keyOf(page)).not.toBe(first);
  const second = await keyOf(page);
  expect(await idOf(second)).toBe(id);
  expect(await idOf(first)).toBeUndefined();
  expect(await storedKey(page)).toBe(second);
});

test('the key is removed from the browser and entered again', async () => {
  const page = await browser.open(`${service.url}/account`);
  const key = await makeAccount(page);
  await page.getByRole('button', { name: 'Forget the key in this browser' }).click();
  await heading(page, 'I have a key').waitFor();
  expect(await storedKey(page)).toBeNull();
  expect(await page.content()).not.toContain(key);
  await page.getByLabel('Key', { exact: true }).last().fill(`  ${key} `);
  await page.getByRole('button', { name: 'Use it here' }).click();
  await heading(page, 'Your account').waitFor();
  expect(await storedKey(page)).toBe(key);
});

test('an account is deleted, after a confirmation', async () => {
  const page = await browser.open(`${service.url}/account`);
  const key = await makeAccount(page);
  await page.getByRole('button', { name: 'Delete the account' }).click();
  await page.getByRole('button', { name: 'Delete it' }).click();
  await heading(page, 'Create an account').waitFor();
  expect(await storedKey(page)).toBeNull();
  expect(await idOf(key)).toBeUndefined();
});

test.each(['psk_wrong', 'žluťoučký'])('%s is rejected and not stored', async (text) => {
  const page = await browser.open(`${service.url}/account`, { expectedErrors: /401/ });
  await page.getByLabel('Key', { exact: true }).last().fill(text);
  await page.getByRole('button', { name: 'Use it here' }).click();
  await page.getByRole('alert').getByText('keys begin with psk_').waitFor();
  expect(await storedKey(page)).toBeNull();
});

test('a key that is no longer valid is removed, and the page says why', async () => {
  const account = await signUp(service);
  const page = await browser.open(`${service.url}/account`, { expectedErrors: /401/ });
  await page.getByLabel('Key', { exact: true }).last().fill(account.key);
  await page.getByRole('button', { name: 'Use it here' }).click();
  await heading(page, 'Your account').waitFor();
  await account.send('DELETE /api/accounts/me');
  await page.reload();
  await page.getByRole('alert').getByText('is no longer valid').waitFor();
  await heading(page, 'Create an account').waitFor();
  expect(await storedKey(page)).toBeNull();
});

test('an open service says that accounts are optional', async () => {
  const page = await browser.open(`${open.url}/account`);
  await page.getByText('everything works without an account').waitFor();
});

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  test.each([360, 1280])('at %i pixels all text is readable and nothing is cut', async (width) => {
    const viewport = { width, height: 740 };
    const page = await browser.open(`${service.url}/account`, { colorScheme, viewport });
    await heading(page, 'Create an account').waitFor();
    for (const isSignedUp of [false, true]) {
      if (isSignedUp) await makeAccount(page);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await page.evaluate<string[]>(findFaintText)).toEqual([]);
    }
  });
});
