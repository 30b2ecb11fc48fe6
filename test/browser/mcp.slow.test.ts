/** The page of the MCP server in Chromium: by keyboard, in both themes and widths. */

import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';
import { lookAt } from './look-at.js';

const service = useService();
const browser = useBrowser();

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'wrong-client', version: '0.1' },
  },
};

test('a visitor configures a client, and sees its session, messages and verdicts', async () => {
  const page = await browser.open(`${service.url}/mcp`);
  await page.getByText('No client has connected yet.').waitFor();
  const name = await page.locator('#bar-name').innerText();
  const url = `${service.url}/s/${name}/mcp`;
  const setup = page.locator('#setup');
  expect(await page.getByRole('textbox', { name: 'URL of the server' }).inputValue()).toBe(url);
  expect(await setup.innerText()).toBe(`claude mcp add --transport http practice ${url}`);

  await page.getByRole('radio', { name: 'Claude Code' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  expect(JSON.parse(await setup.innerText())).toEqual({
    servers: { practice: { type: 'http', url } },
  });
  expect(await page.getByRole('link', { name: 'Add to VS Code' }).getAttribute('href')).toBe(
    `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'practice', type: 'http', url }))}`,
  );
  await page.getByLabel('With OAuth').press('Space');
  await page.getByLabel('Misbehaviour').selectOption('endless-cursor');
  await page.locator('#expectation').getByText('A right client: Stops after').waitFor();
  expect(await setup.innerText()).toContain(`${url}/protected?misbehave=endless-cursor`);

  await page.getByRole('button', { name: 'Call a tool from this page' }).press('Enter');
  await page.getByText('The tool greet returned “Hello, Ada!”.').waitFor();
  await page.locator('#verdicts').getByText('kept').waitFor();

  const headers = { 'X-Sandbox': name };
  await service.send('POST /mcp', { headers, json: initialize });
  await service.send('POST /mcp', {
    headers,
    json: { jsonrpc: '2.0', id: 2, method: 'tools/list' },
  });
  await page.getByText('wrong-client 0.1').waitFor();
  await page
    .locator('#verdicts')
    .getByText(/[1-9] broken/)
    .waitFor();
  await service.send('PUT /api/sandbox/mcp', { headers, json: { misbehave: 'unknown-id' } });
  await page.getByText('The sandbox misbehaves: unknown-id').waitFor();
  await page.locator('#misbehaviours summary').press('Enter');

  await lookAt(page, 'Model Context Protocol', [1400, 390]);

  await page.getByRole('button', { name: 'Turn off' }).press('Enter');
  await page.getByText('The sandbox misbehaves').waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'What your client did wrong' }).press('Enter');
  await page.locator('#mcp').getByText('session-header', { exact: true }).waitFor();
});

test('below a sandbox, the page has its URL; without JavaScript, it lists what the server offers', async () => {
  const page = await browser.open(`${service.url}/s/own/mcp`, { javaScriptEnabled: false });
  expect(await page.content()).toContain('Your client connects to /s/{sandbox}/mcp');
  await page.getByRole('heading', { name: 'Tools' }).click();
  await page.getByText('list_records', { exact: true }).waitFor();
  const inSandbox = await browser.open(`${service.url}/s/own/mcp`);
  await inSandbox.getByText('No client has connected yet.').waitFor();
  expect(await inSandbox.getByRole('textbox', { name: 'URL of the server' }).inputValue()).toBe(
    `${service.url}/s/own/mcp`,
  );
});
