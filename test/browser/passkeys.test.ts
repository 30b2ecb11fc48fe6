/** Passkeys in Chromium, with a virtual authenticator. */

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';

const service = useService();
const browser = useBrowser();
const local = () => service.url.replace('127.0.0.1', 'localhost');

/** Presses its button whenever a touch is required. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

const outcomeOf = (page: Page) => page.locator('#outcome');

test('a browser creates a passkey and logs in with it, with and without a user name', async () => {
  const expectedErrors = /409|401|Failed to load resource/;
  const page = await browser.open(`${local()}/s/chromium/api/auth/passkeys`, { expectedErrors });
  await addAuthenticator(page);
  await page.fill('#username', 'ada lovelace');
  await page.click('#register');
  await outcomeOf(page).getByText('ada lovelace has a new passkey.').waitFor();
  await page.click('#login');
  await outcomeOf(page).getByText('You are ada lovelace.').waitFor();
  await page.click('#login-any');
  await outcomeOf(page).getByText('You are ada lovelace.').waitFor();
  expect(await page.locator('#wire pre').count()).toBe(4);
  // The authenticator knows that it has a passkey of this user.
  await page.click('#register');
  await page.locator('#fault:not([hidden])').waitFor();
  const place = await fetch(`${local()}/s/chromium/api/auth/passkeys`);
  expect(await place.json()).toMatchObject({ rpId: 'localhost', passkeys: 1 });
});
