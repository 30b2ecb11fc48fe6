import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { violationsOf } from '../../support/axe.js';
import { useBrowser } from '../../support/browser.js';
import { findFaintText } from '../../support/find-faint-text.js';
import { testsWith } from '../../support/foreign-program.js';
import { useService } from '../../support/service.js';

const service = useService();
const browser = useBrowser();
const { test: testWithCurl } = testsWith('curl');
const bins = '/api/webhooks/bins';

async function makeBin(name = 'Hooks', sandbox?: string) {
  const headers = { ...(sandbox && { 'X-Sandbox': sandbox }) };
  const { json } = await service.send(`POST ${bins}`, { headers, json: { name } });
  return json as { id: string; url: string; inspectUrl: string };
}
async function openInSandbox(sandbox: string, url: string): Promise<Page> {
  const page = await browser.open(`${service.url}/tls`);
  await page.evaluate(`localStorage.setItem("practice-api-sandbox", "${sandbox}")`);
  await page.goto(url);
  await page.reload();
  return page;
}
const binLinks = (page: Page) => page.locator('#bins a');
const curl = (...args: string[]) => promisify(execFile)('curl', ['-sS', ...args]);
const requestLinks = (page: Page) => page.locator('#requests a');
const isLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor();

test('the front page links to the inspector', async () => {
  const { json } = await service.send('GET /');
  const area = json.areas.find(({ name }: { name: string }) => name === 'bins');
  expect(area.page).toBe(`${service.url}/bins`);
});

test('the policy of the page allows nothing inline and no markup from text', async () => {
  const { headers } = await service.send('GET /bins');
  const policy = headers['content-security-policy'];
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("style-src 'self';");
  expect(policy).toContain("require-trusted-types-for 'script'");
});

test('a user creates a bin by keyboard only and finds its URL', async () => {
  const page = await browser.open(`${service.url}/bins`);
  await isLive(page);
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('skip');
  // After the links and the buttons of the header.
  for (let count = 0; count < 12; count += 1) await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('name');
  await page.keyboard.type('Made by keyboard');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Made by keyboard' }).waitFor();
  await isLive(page);
  const address = await page.getByLabel('Your URL').inputValue();
  expect(address).toMatch(new RegExp(`^${service.url}/api/webhooks/[\\w-]{22}$`));
  expect(page.url()).toContain(`#${address.slice(-22)}`);
  await page.getByText('Nothing has arrived yet').waitFor();
});

testWithCurl('a request sent by curl arrives by the open stream, without reloading', async () => {
  const { url, inspectUrl } = await makeBin();
  const page = await browser.open(inspectUrl, { viewport: { width: 1600, height: 900 } });
  await isLive(page);
  await page.evaluate('window.notReloaded = true');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const data = '{"n":12345678901234567890,"text":"ž"}';
  await curl(
    '-H',
    'Content-Type: application/json',
    '-H',
    'X-Mine: 1',
    '-d',
    data,
    `${url}/orders?a=1&a=2`,
  );
  await requestLinks(page).getByText('/orders?a=1&a=2').waitFor();
  expect(asked).toEqual([]);
  expect(await page.evaluate('window.notReloaded')).toBe(true);
  await page
    .getByRole('status')
    .getByText('POST /orders?a=1&a=2 has arrived.')
    .waitFor({ state: 'attached' });

  const detail = page.getByRole('article');
  await detail.getByRole('heading', { name: 'POST /orders?a=1&a=2' }).waitFor();
  expect(await detail.getByRole('row', { name: 'X-Mine' }).innerText()).toMatch(/X-Mine\s+1/);
  expect(
    await detail.locator('section', { hasText: 'Query' }).getByRole('row').allInnerTexts(),
  ).toEqual(['a\t1', 'a\t2']);
  const body = detail.getByRole('group', { name: 'Body' });
  expect(await body.textContent()).toBe('{\n  "n": 12345678901234567890,\n  "text": "ž"\n}');
  await detail.getByLabel('Text').check();
  expect(await body.textContent()).toBe(data);
  await detail.getByLabel('Hex').check();
  expect(await body.textContent()).toContain('00000000  7b 22 6e 22 3a 31 32 33  34');
});

describe('the sandbox of the page', () => {
  const nameIn = (page: Page) => page.locator('#bar-name').innerText();

  test('is separate, is shown, and stays', async () => {
    await makeBin('Of strangers');
    const page = await browser.open(`${service.url}/bins`);
    await isLive(page);
    const name = await nameIn(page);
    expect(name).toMatch(/^mine-[a-z0-9]{10}$/);
    expect(await binLinks(page).count()).toBe(1);
    const { json } = await service.send(`GET ${bins}`, { headers: { 'X-Sandbox': name } });
    expect(json.map((bin: { url: string }) => bin.url)).toEqual([
      await page.getByLabel('Your URL').inputValue(),
    ]);
    await page.goto(`${service.url}/bins`);
    await isLive(page);
    expect(await nameIn(page)).toBe(name);
    expect(await binLinks(page).count()).toBe(1);

    const another = await browser.open(`${service.url}/bins`);
    await isLive(another);
    expect(await nameIn(another)).not.toBe(name);
  });

  test('can be changed for another in the bar', async () => {
    await makeBin('Of the team', 'team');
    const page = await browser.open(`${service.url}/bins`);
    await isLive(page);
    await page.getByRole('button', { name: /^Sandbox: / }).click();
    await page.getByLabel('Use a named sandbox').fill('team');
    await page.getByRole('button', { name: 'Use', exact: true }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Of the team' }).waitFor();
    await page.getByText('Nothing has arrived yet').waitFor();
    await page.getByRole('button', { name: 'Delete bin' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => binLinks(page).count()).toBe(0);
    const headers = { 'X-Sandbox': 'team' };
    expect((await service.send(`GET ${bins}`, { headers })).json).toEqual([]);
  });

  test('is sent with requests about its bins, and not with requests to their URLs', async () => {
    const { id, inspectUrl } = await makeBin('Mine', 'watched');
    const page = await openInSandbox('watched', inspectUrl);
    await isLive(page);
    const sent: [path: string, sandbox: string | undefined][] = [];
    page.on('request', (request) => {
      const path = new URL(request.url()).pathname;
      if (path.startsWith('/api/')) sent.push([path, request.headers()['x-sandbox']]);
    });
    await page.reload();
    await isLive(page);
    await page.getByRole('button', { name: 'Send a test request' }).click();
    await expect.poll(() => requestLinks(page).count()).toBe(1);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click();
    await page.getByText('Nothing has arrived yet').waitFor();
    expect(sent.length).toBeGreaterThan(4);
    const isAddress = (path: string) => path.startsWith(`/api/webhooks/${id}`);
    expect(sent).toEqual(sent.map(([path]) => [path, isAddress(path) ? undefined : 'watched']));
  });
});

describe('captured markup', () => {
  const evil =
    '<script>document.title="taken"</script><img src=x onerror="document.title=\'taken\'">';

  test('is shown as text everywhere', async () => {
    const { id, inspectUrl } = await makeBin(evil);
    const page = await browser.open(inspectUrl);
    await isLive(page);
    const path = `/api/webhooks/${id}/${encodeURIComponent(evil)}/<b>?${evil.replaceAll(' ', '+')}`;
    for (const contentType of ['text/html', 'image/svg+xml', evil]) {
      const headers = { 'Content-Type': contentType, 'X-Evil': evil };
      await service.send(`POST ${path}`, { headers, body: evil });
    }
    await expect.poll(() => requestLinks(page).count()).toBe(3);
    await requestLinks(page).first().click();
    const detail = page.getByRole('article');
    expect(await detail.getByRole('group', { name: 'Body' }).textContent()).toBe(evil);
    expect(await detail.getByRole('row', { name: 'X-Evil' }).innerText()).toContain(evil);
    expect(await page.locator('main script, main img, main b, nav script, nav img').count()).toBe(
      0,
    );
    expect(await page.title()).toContain('Webhook bins');
    await page.getByRole('heading', { name: evil }).waitFor();
  });

  test('does not run when the response of a bin is opened in a separate page', async () => {
    const { id, url } = await makeBin();
    const response = {
      headers: { 'Content-Type': 'text/html' },
      body: `<p id="shown">x</p>${evil}`,
    };
    await service.send(`PATCH ${bins}/${id}`, { json: { response } });
    // The browser logs to its console that it did not run the script or load the image.
    const page = await browser.open(url, {
      expectedErrors: /sandboxed|Content Security Policy|\/x\b|404/,
    });
    await page.locator('#shown').waitFor();
    expect(await page.title()).not.toBe('taken');
    expect(await page.evaluate('self.origin')).toBe('null');
  });
});

test('bytes are shown as a hex dump and can be downloaded unchanged', async () => {
  const { id, inspectUrl } = await makeBin();
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
  await service.send(`POST /api/webhooks/${id}/files`, { body: bytes });
  const viewport = { width: 1600, height: 900 };
  const page = await browser.open(inspectUrl, { viewport });
  const detail = page.getByRole('article');
  const body = detail.getByRole('group', { name: 'Body' });
  await expect.poll(() => body.textContent()).toContain('00000040  40 41 42 43');
  await page.setViewportSize({ width: 360, height: 780 });
  await page.reload();
  await expect.poll(() => body.textContent()).toContain('0040  40 41 42 43');
  const clipped = '.scrollWidth > document.querySelector(".body").clientWidth';
  expect(await page.evaluate(`document.querySelector(".body")${clipped}`)).toBe(false);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    detail.getByRole('link', { name: 'Download' }).click(),
  ]);
  const stream = await download.createReadStream();
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
});

test('on a phone a user watches a bin: searches, filters, reads a form, deletes a capture', async () => {
  const viewport = { width: 360, height: 780 };
  const page = await browser.open(`${service.url}/bins`, { viewport });
  await isLive(page);
  const url = await page.getByLabel('Your URL').inputValue();
  const form = new FormData();
  form.set('title', 'Holiday');
  form.set('photo', new File(['x'.repeat(2000)], 'beach.jpg', { type: 'image/jpeg' }));
  await fetch(`${url}/uploads`, { method: 'POST', body: form });
  await fetch(`${url}/orders/7`, { method: 'DELETE' });
  await fetch(`${url}/orders`, { method: 'POST', body: 'needle' });
  const shown = requestLinks(page).locator('visible=true');
  await expect.poll(() => shown.count()).toBe(3);
  await page.getByRole('searchbox', { name: 'Search requests' }).fill('NEEDLE post');
  await expect.poll(() => shown.count()).toBe(1);
  await page.getByText('1 of 3').waitFor();
  await page.getByRole('searchbox', { name: 'Search requests' }).fill('');
  await page.getByLabel('Method').selectOption('DELETE');
  await expect.poll(() => shown.allInnerTexts()).toEqual([expect.stringContaining('/orders/7')]);
  await page.getByLabel('Method').selectOption('');

  await requestLinks(page).filter({ hasText: '/uploads' }).click();
  const detail = page.getByRole('article');
  const body = detail.getByRole('group', { name: 'Body' });
  await body.getByRole('row', { name: 'title' }).getByText('Holiday').waitFor();
  await body.getByText('beach.jpg · image/jpeg · 2.0 KiB').waitFor();
  const tops = await page.evaluate<number[]>(
    `['#requests', '#request', '.acts', '#reply'].map((each) =>
      document.querySelector(each).getBoundingClientRect().top)`,
  );
  expect(tops, 'requests come before settings').toEqual(tops.toSorted((a, b) => a - b));
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(overflow)).toBe(0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await violationsOf(page), colorScheme).toEqual([]);
  }
  await detail.getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => shown.count()).toBe(2);
  const { json } = await service.send(`GET ${bins}/${url.slice(-22)}/requests`);
  expect(json).toHaveLength(2);
});

test('the browser replays a request to another URL, and the page explains CORS', async () => {
  const other = createServer((request, response) => {
    received.push(`${request.method} ${request.url} ${request.headers['x-mine']}`);
    const isAllowed = request.url?.startsWith('/allowed') ?? false;
    if (isAllowed) response.setHeader('Access-Control-Allow-Origin', '*');
    if (isAllowed) response.setHeader('Access-Control-Allow-Headers', '*');
    response.end('heard');
  });
  const received: string[] = [];
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const at = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  try {
    const { id, inspectUrl } = await makeBin();
    const headers = { 'X-Mine': '1', 'Content-Type': 'application/json' };
    await service.send(`POST /api/webhooks/${id}`, { headers, body: '{"a":1}' });
    const page = await browser.open(inspectUrl, { expectedErrors: /CORS|ERR_FAILED|requested:/ });
    await page.getByText('Replay to another URL').click();
    await page.getByLabel('Full URL').fill(`${at}/allowed`);
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('group', { name: 'Response' }).getByText('heard').waitFor();
    expect(received.at(-1)).toBe('POST /allowed 1');
    await page.getByLabel('Full URL').fill(`${at}/closed`);
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByText(`Access-Control-Allow-Origin: ${service.url} (or *)`).waitFor();
    expect(received.at(-1)).toBe('OPTIONS /closed undefined');
    await page.getByRole('button', { name: 'Send it without reading the response' }).click();
    await page.getByText('The browser sent it, without the captured headers.').waitFor();
    expect(received.at(-1)).toBe('POST /closed undefined');
  } finally {
    // A browser opens connections that it then does not use.
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
  }
});

test('a shared link opens the bin in its sandbox, in a browser that has never used it', async () => {
  const page = await browser.open(`${service.url}/bins`);
  await isLive(page);
  const address = await page.getByLabel('Your URL').inputValue();
  await page.getByRole('button', { name: 'Share' }).click();
  const link = await page.locator('#shared-link a').getAttribute('href');
  const another = await browser.open(link ?? '');
  await isLive(another);
  expect(await another.getByLabel('Your URL').inputValue()).toContain(address.slice(-22));
  expect(await another.locator('#bar-name').innerText()).toMatch(/^mine-/);
});

test('a truncated body is marked', async () => {
  const { id, inspectUrl } = await makeBin();
  await service.send(`POST /api/webhooks/${id}`, { body: 'x'.repeat(300 * 1024) });
  const page = await browser.open(inspectUrl);
  await page.getByText('Only the first 256 KiB of 300.0 KiB were stored.').waitFor();
  await page.getByLabel('Hex').check();
  await page.getByText('The first 16.0 KiB').waitFor();
});

testWithCurl('a request can be copied as a curl command that repeats it', async () => {
  const { id, inspectUrl } = await makeBin();
  const body = `{"it's":"$HOME"}`;
  const headers = { 'Content-Type': 'application/json', 'X-A': '1' };
  await service.send(`PUT /api/webhooks/${id}/x?y=%20`, { headers, body });
  const page = await browser.open(inspectUrl);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const button = page.getByRole('button', { name: 'Copy as curl' });
  await button.click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const command = await page.evaluate<string>('navigator.clipboard.readText()');
  await promisify(execFile)('sh', ['-c', command]);
  await expect.poll(() => requestLinks(page).count()).toBe(2);
  const [again, first] = (await service.send(`GET ${bins}/${id}/requests`)).json;
  for (const field of ['method', 'path', 'queryString', 'contentType', 'body']) {
    expect(again[field]).toBe(first[field]);
  }
  await page.getByRole('button', { name: 'Copy', exact: true }).first().click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    `${service.url}/api/webhooks/${id}`,
  );
});

test('every kind of test request arrives, and signed ones verify', async () => {
  const { inspectUrl } = await makeBin();
  const page = await browser.open(inspectUrl);
  await isLive(page);
  const kinds = ['json', 'form', 'binary', 'stripe', 'github', 'shopify'];
  for (const [index, kind] of kinds.entries()) {
    await page.getByLabel('Kind of test request').selectOption(kind);
    await page.getByRole('button', { name: 'Send a test request' }).click();
    await expect.poll(() => requestLinks(page).count()).toBe(index + 1);
  }
  expect(await page.getByText('✓ signed').count()).toBe(3);
  await requestLinks(page).filter({ hasText: '/stripe' }).click();
  const detail = page.getByRole('article');
  await detail.getByText("✓ Verifies with the samples' secret").waitFor();
});

test('a signature made with another secret verifies once the user enters it', async () => {
  const { id, inspectUrl } = await makeBin();
  const own = 'whsec_tajné heslo';
  const signed = await service.send('POST /api/webhooks/samples/stripe', {
    headers: { 'X-Signing-Secret': Buffer.from(own).toString('latin1') },
    // Bytes, because Node writes headers before a string body as UTF-8.
    body: Buffer.from('{"mine":1}'),
  });
  const { headers, body } = signed.json;
  await service.send(`POST /api/webhooks/${id}`, { headers, body });
  const page = await browser.open(inspectUrl);
  const detail = page.getByRole('article');
  await detail.getByText("✗ Does not verify with the samples' secret").waitFor();
  await detail.getByLabel('Signed with another secret?').fill('wrong');
  await detail.getByRole('button', { name: 'Check' }).click();
  await detail.getByText('✗ Does not verify with this secret').waitFor();
  await detail.getByLabel('Signed with another secret?').fill(own);
  await page.keyboard.press('Enter');
  await detail.getByText('✓ Verifies with this secret').waitFor();
});

test('the response to senders can be configured, and an invalid one is explained', async () => {
  const { id, url, inspectUrl } = await makeBin();
  const page = await browser.open(inspectUrl, { expectedErrors: /400/ });
  await page.getByText('Response to senders').click();
  await page.getByLabel('Status').fill('202');
  await page.getByLabel('Headers, one per line').fill('Content-Length: 3\nX-Reply: a:b');
  await page.getByLabel('Body', { exact: true }).first().fill('thanks');
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .getByText('The header Content-Length cannot be set: it frames the message or controls')
    .waitFor();
  await page.getByLabel('Headers, one per line').fill('X-Reply: a:b\nx-reply: c');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  const response = await fetch(url, { method: 'POST' });
  expect([response.status, response.headers.get('x-reply'), await response.text()]).toEqual([
    202,
    'a:b, c',
    'thanks',
  ]);
  await page.getByRole('button', { name: 'Back to the usual response' }).click();
  await page.getByText('The usual response again.').waitFor();
  expect((await service.send(`GET ${bins}/${id}`)).json.response).toBeNull();
});

test('Clear and Delete need a confirmation', async () => {
  const { id, inspectUrl } = await makeBin();
  await service.send(`POST /api/webhooks/${id}`, { body: 'x' });
  const page = await browser.open(inspectUrl);
  await expect.poll(() => requestLinks(page).count()).toBe(1);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('button', { name: 'Keep it' }).click();
  expect((await service.send(`GET ${bins}/${id}`)).json.requestCount).toBe(1);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click();
  await page.getByText('Nothing has arrived yet').waitFor();
  expect((await service.send(`GET ${bins}/${id}`)).json.requestCount).toBe(0);
  await page.getByRole('button', { name: 'Delete bin' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'A URL that shows what it receives' }).waitFor();
  expect((await service.send(`GET ${bins}/${id}`)).status).toBe(404);
});

test('changes by other clients show as well', async () => {
  const { id, inspectUrl } = await makeBin();
  await service.send(`POST /api/webhooks/${id}`, { body: 'x' });
  const page = await browser.open(inspectUrl, { expectedErrors: /404/ });
  await isLive(page);
  await service.send(`DELETE ${bins}/${id}/requests`);
  await page.getByText('Nothing has arrived yet').waitFor();
  await service.send(`POST /api/webhooks/${id}/after`);
  await requestLinks(page).getByText('/after').waitFor();
  await service.send(`DELETE ${bins}/${id}`);
  await page.getByText('Deleted', { exact: true }).waitFor();
});

test('the list has the newest 50, and the selected capture stays', async () => {
  const { id, inspectUrl } = await makeBin();
  for (let count = 1; count <= 50; count++) await service.send(`POST /api/webhooks/${id}/${count}`);
  const page = await browser.open(inspectUrl);
  await isLive(page);
  await requestLinks(page).getByText('/30', { exact: true }).click();
  const title = page.getByRole('article').getByRole('heading', { name: 'POST /30' });
  await title.waitFor();
  // The user stays at the selected request.
  expect(await page.evaluate('document.activeElement.id')).toBe('request-title');
  for (let count = 51; count <= 55; count++)
    await service.send(`POST /api/webhooks/${id}/${count}`);
  await requestLinks(page).getByText('/55', { exact: true }).waitFor();
  expect(await requestLinks(page).count()).toBe(50);
  await title.waitFor();
  expect(await requestLinks(page).last().innerText()).toContain('/6');
});

test('URLs of bins and requests can be bookmarked, shared and returned to', async () => {
  const first = await makeBin('First', 'shared-links');
  const second = await makeBin('Second', 'shared-links');
  for (const path of ['/one', '/two']) await service.send(`POST /api/webhooks/${first.id}${path}`);
  const page = await openInSandbox('shared-links', `${first.inspectUrl}/1`);
  await page.getByRole('heading', { name: 'POST /one' }).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Second' }).click();
  await page.getByText('Nothing has arrived yet').waitFor();
  expect(page.url()).toContain(second.id);
  await page.goBack();
  await page.getByRole('heading', { name: 'POST /one' }).waitFor();
});

test('a deleted bin is explained', async () => {
  const page = await browser.open(`${service.url}/bins#${'A'.repeat(22)}`, {
    expectedErrors: /404/,
  });
  await page.getByRole('alert').getByText('There is no bin with this id').waitFor();
});

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  test('texts have enough contrast, and nothing is wider than a phone', async () => {
    const { id, inspectUrl } = await makeBin(
      'A bin with quite a long name, as people like to give them',
    );
    const sample = (await service.send('GET /api/webhooks/samples/stripe?format=envelope')).json;
    await service.send(`POST /api/webhooks/${id}/${'x'.repeat(300)}?${'y=z&'.repeat(50)}`, sample);
    const viewport = { width: 360, height: 740 };
    const page = await browser.open(inspectUrl, { colorScheme, viewport });
    await page.getByText('✓ Verifies').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    const faint = await page.evaluate<string[]>(findFaintText);
    expect(faint).toEqual([]);
    const small = await page.evaluate<string[]>(
      `[...document.querySelectorAll('button, select, nav a, #requests a')]
        .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 24)
        .map((each) => each.textContent)`,
    );
    expect(small).toEqual([]);
  });
});
