/** The pages below /s/{sandbox}: all that they load and request stays inside. */

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { signUp } from '../support/accounts.js';
import { useBrowser } from '../support/browser.js';
import { everyThird } from '../support/every-third.js';
import { useService } from '../support/service.js';

const open = useService();
const closed = useService({ accounts: 'required', signUpsPerHour: 1000 });
const browser = useBrowser();
const patient = { timeout: 30_000 };
const wide = { viewport: { width: 1400, height: 900 } };

/** Opens the page; notes its requests outside of `prefix`, and referrers outside of it. */
async function openInside(url: string, prefix: string, path: string) {
  const page = await browser.open(`${url}/health`, wide);
  const strays: string[] = [];
  page.on('request', (request) => {
    const { pathname, protocol } = new URL(request.url());
    if (!protocol.startsWith('http')) return;
    const isInside = pathname === prefix || pathname.startsWith(`${prefix}/`);
    if (!isInside) strays.push(`${request.method()} ${request.url()}`);
    const { referer, 'x-sandbox': sandbox } = request.headers();
    if (referer) strays.push(`from ${referer}: ${request.url()}`);
    if (sandbox !== undefined) strays.push(`X-Sandbox ${sandbox}: ${request.url()}`);
  });
  const failed: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
  });
  await page.goto(`${url}${prefix}${path}`);
  return { page, strays, failed };
}

async function linksOf(page: Page): Promise<string[]> {
  return page.evaluate('[...document.querySelectorAll("a[href]")].map(({ href }) => href)');
}

const ready: Readonly<Record<string, string>> = {
  '': '.has-script',
  '/': '.has-script',
  '/docs': '.area',
  '/graphql': '.graphiql-query-editor .CodeMirror-code .CodeMirror-line',
  '/bins': '#bins',
  '/bins/': '#bins',
  '/account': 'main',
};

type Place = readonly [url: string, prefix: string];

function byName(name: string): Place {
  return [open.url, `/s/${name}`];
}

async function byAccount(name: string): Promise<Place> {
  const account = await signUp(closed);
  const { json } = await account.inSandbox(name)('POST /api/sandbox/address');
  return [closed.url, json.address.slice(closed.url.length)];
}

test.each(everyThird(Object.keys(ready)))(
  'the page at %j and its links stay inside',
  async (path) => {
    const [url, prefix] = byName('looking');
    const { page, strays, failed } = await openInside(url, prefix, path);
    await page
      .locator(ready[path] ?? 'main')
      .first()
      .waitFor({ state: 'attached' });
    await loaded(page, path);
    const links = (await linksOf(page)).filter((link) => link.startsWith(url));
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) {
      const { pathname } = new URL(link);
      expect(`${pathname}/`.startsWith(`${prefix}/`), link).toBe(true);
    }
    expect([strays, failed]).toEqual([[], []]);
    const styles = await page.evaluate(
      '[...document.styleSheets].map(({ cssRules }) => cssRules.length)',
    );
    expect(Math.max(0, ...(styles as number[]))).toBeGreaterThan(10);
  },
);

test('the console and the examples of the front page call the service inside', async () => {
  const [url, prefix] = byName('console');
  // Without the slash, where relative URLs resolve differently.
  const { page, strays } = await openInside(url, prefix, '');
  const shown = () => page.locator('#console-answer').innerText();
  await page.getByLabel('Path, address or curl command').fill('/api/methods/get?a=b');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect.poll(shown, patient).toContain(`"path": "${prefix}/api/methods/get"`);
  expect(await shown()).toContain(`GET ${prefix}/api/methods/get?a=b HTTP/1.1`);
  expect(await page.locator('#base-url').innerText()).toBe(`${url}${prefix}`);

  await page.evaluate('location.hash = "sandbox"');
  const ahead = page.locator('#sandbox-1');
  expect(await ahead.locator('[data-client="curl"]').textContent()).not.toContain('X-Sandbox');
  await ahead.getByRole('button', { name: /^Send/ }).click();
  await expect.poll(() => ahead.locator('.answer').innerText(), patient).toContain('3600');
  const sandbox = await page.evaluate(
    `fetch('${prefix}/api/sandbox').then((answer) => answer.json())`,
  );
  expect(sandbox).toMatchObject({ name: 'console', clock: { offsetSeconds: 3600 } });
  expect(strays).toEqual([]);
});

test('the reference sends its requests inside', async () => {
  const [url, prefix] = byName('reference');
  const { page, strays } = await openInside(url, prefix, '/docs#/methods/getMethodsGet');
  const operation = page.locator('li:has(> a[href$="/getMethodsGet"])');
  const responding = page.waitForResponse(`${url}${prefix}/api/methods/get`);
  await operation.getByRole('button', { name: 'Send' }).click();
  expect((await responding).status()).toBe(200);
  expect(strays).toEqual([]);
});

test('the GraphQL editor reads and writes the sandbox', async () => {
  const [url, prefix] = byName('editing');
  const { page, strays } = await openInside(url, prefix, '/graphql');
  await page.getByRole('link', { name: 'Query' }).waitFor();
  await page.getByRole('navigation', { name: 'Examples' }).getByText('AddTodo').click();
  await page.locator('.graphiql-execute-button[aria-haspopup="menu"]').click();
  await page.getByRole('menuitem', { name: 'AddTodo', exact: true }).click();
  const response = () => page.locator('.graphiql-response .CodeMirror-code').innerText();
  await expect.poll(response, patient).toContain('Try');
  const count = await page.evaluate(
    `fetch('${prefix}/graphql?query={todos{id}}').then((answer) => answer.json()).then(({ data }) => data.todos.length)`,
  );
  expect(count).toBe(201);
  expect(strays).toEqual([]);
});

describe.each([
  ['a name', byName],
  ['a URL of an account', byAccount],
] as const)('below %s', (_kind, place) => {
  test('a user goes from page to page and never leaves', async () => {
    const [url, prefix] = await place('wandering');
    const { page, strays, failed } = await openInside(url, prefix, '');
    for (const [link, path] of [
      ['Test a client', '/start/test'],
      ['Inspector', '/bins'],
      ['Test a client', '/start/test'],
      ['Editor', '/graphql'],
      ['Account', '/account'],
      ['Look up', '/start/look-up'],
      ['Reference', '/docs'],
      ['Practice API', '/'],
    ] as const) {
      await page.getByRole('link', { name: link, exact: true }).first().click();
      await page.waitForURL(`${url}${prefix}${path}`);
      await loaded(page, path);
    }
    expect([strays, failed]).toEqual([[], []]);
  });

  test('the inspector creates a bin in the sandbox and shows captures as they arrive', async () => {
    const [url, prefix] = await place('hooks');
    const { page, strays, failed } = await openInside(url, prefix, '/bins');
    await page.getByLabel('Name').fill('Inside');
    await page.getByRole('button', { name: 'New bin' }).click();
    // Not the bin that the page begins with.
    await page.getByRole('heading', { name: 'Inside' }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    // The URL says which sandbox it is.
    expect(await page.getByLabel('Sandbox', { exact: true }).isVisible()).toBe(false);
    const address = await page.getByLabel('Your URL').inputValue();
    expect(address).toMatch(new RegExp(`^${url}${prefix}/api/webhooks/[\\w-]{22}$`));
    const sent = await fetch(`${address}/orders?a=1`, { method: 'POST', body: 'x' });
    expect(sent.status).toBe(200);
    await page.locator('#requests a').getByText('/orders?a=1').waitFor();
    await page.getByRole('button', { name: 'Send a test request' }).click();
    await expect.poll(() => page.locator('#requests a').count(), patient).toBe(2);
    await page.reload();
    await expect.poll(() => page.locator('#requests a').count(), patient).toBe(2);
    await page.getByText('Live', { exact: true }).waitFor();
    expect([strays, failed]).toEqual([[], []]);
  });
});

test('a browser’s own EventSource follows a bin below a URL of an account', async () => {
  const account = await signUp(closed);
  const { json } = await account.send('POST /api/sandbox/address');
  const { json: bin } = await account.send('POST /api/webhooks/bins');
  const page = await browser.open(`${json.address}/bins`);
  await page.evaluate(`
    window.seen = [];
    new EventSource('${json.address}/api/webhooks/bins/${bin.id}/events?lastEventId=0')
      .addEventListener('message', ({ data }) => window.seen.push(JSON.parse(data).subPath));`);
  await closed.send(`POST /api/webhooks/${bin.id}/here`);
  await expect.poll(() => page.evaluate('window.seen'), patient).toEqual(['/here']);
});

test('a key of another account in the browser does not affect a URL', async () => {
  const [account, other] = [await signUp(closed), await signUp(closed)];
  const { json } = await account.send('POST /api/sandbox/address');
  const page = await browser.open(`${closed.url}/account`);
  await page.evaluate(`localStorage.setItem("practice-api-service-key", "${other.key}")`);
  await page.goto(`${json.address}/bins`);
  // The page begins with a bin.
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByLabel('Name').fill('Mine');
  await page.getByRole('button', { name: 'New bin' }).click();
  const count = async () => (await account.send('GET /api/webhooks/bins')).json.length;
  await expect.poll(count, patient).toBe(2);
  expect((await other.send('GET /api/webhooks/bins')).json).toEqual([]);
});

/** The page of the bins keeps a stream open, so its network is never idle. */
function loaded(page: Page, path: string): Promise<void> {
  return page.waitForLoadState(path.startsWith('/bins') ? 'load' : 'networkidle');
}
