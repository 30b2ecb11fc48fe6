/** The inspector and the GraphQL editor where an account is required. */

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { signUp, type TestAccount } from '../../support/accounts.js';
import { violationsOf } from '../../support/axe.js';
import { useBrowser } from '../../support/browser.js';
import { useService } from '../../support/service.js';

const service = useService({ accounts: 'required', signUpsPerHour: 1000 });
const browser = useBrowser();
const rejected = { expectedErrors: /401/ };

/** Opens a page in a browser that has the key of the account. */
async function openWith(account: TestAccount, path: string): Promise<Page> {
  const page = await browser.open(`${service.url}/account`);
  await page.evaluate(`localStorage.setItem("practice-api-service-key", "${account.key}")`);
  await page.goto(`${service.url}${path}`);
  return page;
}

test('the inspector shows captures as they arrive', async () => {
  const account = await signUp(service);
  const { json: bin } = await account.send('POST /api/webhooks/bins', { json: { name: 'Mine' } });
  const page = await openWith(account, `/bins#${bin.id}`);
  await page.getByText('Live', { exact: true }).waitFor();
  await service.send(`POST /api/webhooks/${bin.id}/first`, { body: 'x' });
  await page.locator('#requests a').getByText('/first').waitFor();
});

test('a broken stream resumes after its last capture', async () => {
  const account = await signUp(service);
  const { json: bin } = await account.send('POST /api/webhooks/bins');
  const page = await openWith(account, '/tls');
  const lastEventIds: (string | undefined)[] = [];
  await page.route('**/events?*', async (route) => {
    const { 'last-event-id': lastEventId, 'x-service-key': key } = route.request().headers();
    lastEventIds.push(lastEventId);
    expect(key).toBe(account.key);
    if (lastEventIds.length > 1) return route.continue();
    await service.send(`POST /api/webhooks/${bin.id}/first`);
    const { json } = await account.send(`GET /api/webhooks/bins/${bin.id}/requests/1`);
    const body = `retry: 10\nid: 1\ndata: ${JSON.stringify(json)}\n\n`;
    return route.fulfill({ status: 200, contentType: 'text/event-stream', body });
  });
  await page.goto(`${service.url}/bins#${bin.id}`);
  await page.locator('#requests a').getByText('/first').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await service.send(`POST /api/webhooks/${bin.id}/second`);
  await page.locator('#requests a').getByText('/second').waitFor();
  expect(lastEventIds).toEqual([undefined, '1']);
});

test('requests of the inspector to a bin do not contain the key', async () => {
  const account = await signUp(service);
  const { json: bin } = await account.send('POST /api/webhooks/bins');
  const page = await openWith(account, `/bins#${bin.id}`);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByLabel('Kind of test request').selectOption('stripe');
  await page.getByRole('button', { name: 'Send a test request' }).click();
  await page.locator('#requests a').waitFor();
  const { text } = await account.send(`GET /api/webhooks/bins/${bin.id}/requests`);
  expect(text).toContain('Stripe-Signature');
  expect(text).not.toContain(account.key);
  expect(text.toLowerCase()).not.toContain('x-service-key');
});

test('a captured body is downloaded with the key', async () => {
  const account = await signUp(service);
  const { json: bin } = await account.send('POST /api/webhooks/bins');
  await service.send(`POST /api/webhooks/${bin.id}`, { body: Buffer.from([0, 255, 1]) });
  const page = await openWith(account, `/bins#${bin.id}`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('request-1.bin');
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  expect([...Buffer.concat(chunks)]).toEqual([0, 255, 1]);
});

test('the page of connections sends users without a key to the account page', async () => {
  const page = await browser.open(`${service.url}/realtime`, rejected);
  await page.getByRole('link', { name: 'Create one' }).click();
  await page.getByRole('heading', { name: 'Create an account' }).waitFor();
});

test('the inspector sends users without a key to the account page', async () => {
  const page = await browser.open(`${service.url}/bins`, rejected);
  const alert = page.getByRole('alert');
  await alert.getByText('This service requires an account').waitFor();
  await alert.getByRole('link', { name: 'Create one' }).click();
  await page.getByRole('heading', { name: 'Create an account' }).waitFor();
});

test('the editor runs its examples with the key', async () => {
  const page = await openWith(await signUp(service), '/graphql');
  await page.locator('.graphiql-query-editor .CodeMirror-code').getByText('BookById').waitFor();
  await page.locator('.graphiql-execute-button:not([aria-haspopup])').click();
  const response = page.locator('.graphiql-response .CodeMirror-code');
  await expect
    .poll(() => response.innerText(), { timeout: 30_000 })
    .toContain('"title": "The Hobbit"');
  expect(await page.locator('#notice').isVisible()).toBe(false);
});

test('the editor sends users without a valid key to the account page', async () => {
  const page = await browser.open(`${service.url}/graphql`, rejected);
  const notice = page.locator('#notice');
  await notice.getByText('This service requires an account').waitFor();
  expect(await notice.getByRole('link').getAttribute('href')).toBe(`${service.url}/account`);
  await page.evaluate('localStorage.setItem("practice-api-service-key", "psk_old")');
  await page.reload();
  await notice.getByText('is no longer valid').waitFor();
});

test('the account page shows usage, and sandboxes to use, reset and delete', async () => {
  const account = await signUp(service);
  const headers = { 'X-Sandbox': 'shown' };
  await account.send('POST /api/sandbox/address', { headers });
  await account.send('DELETE /api/Books/1', { headers });
  const page = await openWith(account, '/account');
  await page.getByText(/[1-9]\d* of 600 requests this minute/).waitFor();
  const line = page.locator('#sandbox-list li', { hasText: 'shown' });
  await line.getByRole('button', { name: 'Use shown' }).click();
  await page.getByRole('button', { name: /^Sandbox: shown/ }).waitFor();
  await line.getByText('in use').waitFor();
  await line.getByRole('button', { name: 'Reset shown' }).click();
  await line.getByText('nothing written yet').waitFor();
  expect((await account.send('GET /api/Books/1', { headers })).status).toBe(200);
  await line.getByRole('button', { name: 'Delete its URL' }).click();
  await page.getByText('A URL of shown was deleted.').waitFor();
  expect((await account.send('GET /api/sandbox/address')).json).toEqual([]);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await violationsOf(page), colorScheme).toEqual([]);
  }
});
