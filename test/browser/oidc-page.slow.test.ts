/** The page of an issuer: a login by keyboard only, with each request shown. */

import { createHash } from 'node:crypto';
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createService, type Service } from '../../src/index.js';
import { violationsOf } from '../support/axe.js';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';

const service = useService();
const browser = useBrowser();

async function tabTo(page: Page, text: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    if ((await focused.count()) > 0 && (await focused.textContent())?.trim().startsWith(text))
      return;
  }
  throw new Error(`No Tab reaches ${text}.`);
}

async function press(page: Page, text: string): Promise<void> {
  await tabTo(page, text);
  await page.keyboard.press('Enter');
}

async function lookAtPage(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1400, 390]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      const look = `${name} ${colorScheme} ${width}`;
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow, look).toBeLessThanOrEqual(0);
      expect(await violationsOf(page), look).toEqual([]);
    }
  }
}

async function logInByKeyboard(page: Page): Promise<void> {
  await page.locator('#log-in:enabled').waitFor();
  await press(page, 'Log in now');
  await page.getByLabel('User name').waitFor();
  await press(page, 'Continue as ada');
  const end = page.locator('#userinfo.is-done, .is-wrong').first();
  const allow = page.getByRole('button', { name: 'Allow' });
  // Consent is remembered in the sandbox.
  await allow.or(end).first().waitFor();
  if ((await allow.count()) > 0) await press(page, 'Allow');
  await end.waitFor();
}

test('a visitor logs in and out by keyboard only, and sees each step', {
  timeout: 240_000,
}, async () => {
  const page = await browser.open(`${service.url}/oidc`);
  await page.locator('#log-in:enabled').waitFor();
  await lookAtPage(page, 'before');
  await logInByKeyboard(page);
  expect(await page.locator('.is-wrong').count()).toBe(0);
  expect(await page.locator('.is-done').count()).toBe(7);
  expect(await page.locator('#outcome').textContent()).toContain('You are logged in as ada.');
  expect(page.url()).toMatch(/\/s\/[\w.-]+\/oidc$/);
  expect(await page.locator('#token').textContent()).toContain('grant_type=authorization_code');
  expect(await page.locator('#tokens').textContent()).toContain('RS256 with the key');
  expect(await page.locator('#userinfo').textContent()).toContain('Ada Lovelace');
  const verifier = (await page.locator('#pkce code').nth(0).textContent()) ?? '';
  const challenge = await page.locator('#pkce code').nth(1).textContent();
  expect(challenge).toBe(createHash('sha256').update(verifier).digest('base64url'));
  await lookAtPage(page, 'after');
  await press(page, 'Log out');
  await page.locator('#logout.is-done').waitFor();
  await lookAtPage(page, 'logged out');
  await logInAgain(page);
});

/** Each login has its own values, and the user has consented before. */
async function logInAgain(page: Page): Promise<void> {
  await page.locator('#log-in:enabled').waitFor();
  await press(page, 'Log in now');
  await press(page, 'Continue as ada');
  await page.locator('#userinfo.is-done').waitFor();
}

test('the page stops where an issuer of a test run misbehaves', { timeout: 120_000 }, async () => {
  const { json } = await service.send('POST /s/run/oidc/test-plan/runs');
  const steps = json as readonly { readonly name: string; readonly issuer: string }[];
  const issuerOf = (name: string) => steps.find((each) => each.name === name)?.issuer ?? '';
  for (const [name, step] of [
    ['wrong-nonce', 'tokens'],
    ['wrong-state', 'redirect'],
  ] as const) {
    const page = await browser.open(issuerOf(name));
    await logInByKeyboard(page);
    expect(await page.locator(`#${step}.is-wrong`).count(), name).toBe(1);
    expect(await page.getByRole('alert').textContent()).toContain('A correct client stops here');
  }
});

test('the page works below a sandbox, and shows why the issuer returned no code', async () => {
  const page = await browser.open(`${service.url}/s/inside/oidc`);
  await page.locator('#log-in:enabled').waitFor();
  expect(await page.locator('#issuer').textContent()).toBe(`${service.url}/s/inside/oidc`);
  await page.click('#log-in');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.locator('#redirect.is-wrong').waitFor();
  expect(await page.getByRole('alert').textContent()).toContain('access_denied');
});

describe('behind a prefix', () => {
  let proxy: Server;
  let behind: Service;
  beforeAll(async () => {
    proxy = createServer((request, response) => {
      const { method, headers, url = '' } = request;
      const path = url.replace(/^\/practice/, '') || '/';
      const sent = forward(`${behind.url}${path}`, { method, headers }, (received) => {
        response.writeHead(received.statusCode ?? 502, received.headers);
        received.pipe(response);
      });
      request.pipe(sent);
    });
    await new Promise<void>((resolve) => {
      proxy.listen(0, '127.0.0.1', resolve);
    });
    const { port } = proxy.address() as AddressInfo;
    behind = await createService({ baseUrl: `http://127.0.0.1:${port}/practice` });
  });
  afterAll(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await behind.close();
  });

  test('the page logs in', { timeout: 120_000 }, async () => {
    const { port } = proxy.address() as AddressInfo;
    const page = await browser.open(`http://127.0.0.1:${port}/practice/oidc`);
    await logInByKeyboard(page);
    expect(await page.locator('.is-done').count()).toBe(7);
    expect(page.url()).toContain('/practice/s/');
  });
});
