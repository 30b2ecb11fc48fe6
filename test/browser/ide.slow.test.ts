import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { exampleDocument, exampleVariables } from '../../pages/ide/examples.js';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';

const service = useService();
const browser = useBrowser();
/** A poll's default limit of a second is short for a browser on a busy machine. */
const patient = { timeout: 30_000 };
const wide = { viewport: { width: 1400, height: 900 } };

/** Stops while it runs. */
const readyButton = '.graphiql-execute-button:not([aria-label^="Stop"])';
const response = '.graphiql-response .CodeMirror-code';

async function shown(page: Page, selector: string): Promise<string> {
  const lines = await page.locator(selector).locator('.CodeMirror-line').allInnerTexts();
  return lines.join('\n');
}

/** Opens an example in a new tab, unless it is the first one, which is open; and runs an operation of it. */
async function run(page: Page, example: string, operation = example): Promise<void> {
  const tabs = await page.locator('.graphiql-tab').count();
  const held = () => shown(page, '.graphiql-query-editor .CodeMirror-code');
  if (example !== 'BookById') {
    await page.getByRole('link', { name: 'Query' }).waitFor();
    await page.getByRole('navigation', { name: 'Examples' }).getByText(example).click();
    await expect.poll(() => page.locator('.graphiql-tab').count(), patient).toBe(tabs + 1);
  }
  await expect.poll(held, patient).toContain(example);
  const isOne = (await held()).match(/^(?:query|mutation|subscription)/gm)?.length === 1;
  // The tab has the name of the operation once the editor has read it; before, the button runs another one.
  if (isOne) await page.locator('.graphiql-tab', { hasText: example }).waitFor();
  // The button becomes a menu once the editor has found several operations in the document.
  const menu = isOne ? ':not([aria-haspopup])' : '[aria-haspopup="menu"]';
  await page.locator(readyButton + menu).click();
  if (!isOne) await page.getByRole('menuitem', { name: operation, exact: true }).click();
}

/**
 * Keys go to the new tab only once it is shown; it is empty only when the editor was ready for it.
 */
async function openTab(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Query' }).waitFor();
  await page.locator(readyButton).waitFor();
  await page.getByRole('button', { name: /new tab/i }).click();
  await expect.poll(() => page.locator('.graphiql-tab').count(), patient).toBe(2);
  await expect
    .poll(() => shown(page, '.graphiql-query-editor .CodeMirror-code'), patient)
    .not.toContain('BookById');
  await page.locator('.graphiql-query-editor .CodeMirror').click();
}

async function expectResponse(page: Page, ...parts: string[]): Promise<void> {
  await expect
    .poll(() => shown(page, response), patient)
    .toSatisfy((text: string) => parts.every((part) => text.includes(part)));
}

test('the examples of the editor run unchanged', async () => {
  const page = await browser.open(`${service.url}/graphql`, wide);
  await run(page, 'BookById');
  await expectResponse(page, '"title": "The Hobbit"');
  await run(page, 'CompareBooks');
  await expectResponse(page, '"first": {', '"second": {');
  await run(page, 'CountriesOf');
  await expectResponse(page, '"countries": [', '"currency": {');
  await run(page, 'AddTodo');
  await expectResponse(page, '"addTodo": {', '"title": "Try a mutation"');
  await run(page, 'AddTodo', 'Todos');
  await expectResponse(page, '"todos": [');
});

test('a subscription runs until it is stopped', async () => {
  const page = await browser.open(`${service.url}/graphql`, wide);
  await run(page, 'Countdown');
  await expectResponse(page, '"countdown": 9');
  await page.locator('.graphiql-execute-button[aria-label^="Stop"]').click();
  await page.locator(readyButton).waitFor();
});

test('a user who has visited other pages before gets the examples', async () => {
  const page = await browser.open(`${service.url}/`, wide);
  await page.evaluate(`
    localStorage.setItem('practice-api:theme', 'dark');
    localStorage.setItem('practice-api:client', 'curl');
    localStorage.setItem('graphiql:query', '{ ofAnotherService }');
    localStorage.setItem('another', 'service');
  `);
  await page.goto(`${service.url}/graphql`);
  await run(page, 'BookById');
  await expectResponse(page, '"title": "The Hobbit"');
});

test('an example has only its own variables, and its lines are wrapped', async () => {
  const page = await browser.open(`${service.url}/graphql`, {
    viewport: { width: 360, height: 800 },
  });
  await page.locator(readyButton).waitFor();
  const variables = () => shown(page, '.graphiql-editor-tool .CodeMirror-code >> visible=true');
  const written = async () => (await variables()).replace(/\s/g, '');
  await expect.poll(written, patient).toBe('{"id":1}');
  const cut = `[...document.querySelectorAll('.graphiql-query-editor .CodeMirror-scroll')].filter(
    ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).length`;
  await expect.poll(() => page.evaluate(cut), patient).toBe(0);
  const last = page.locator('.graphiql-query-editor .CodeMirror-line').last();
  const [line, editor] = [
    await last.boundingBox(),
    await page.locator('.graphiql-query-editor').boundingBox(),
  ];
  const bottomOf = (box: typeof line) => (box?.y ?? 0) + (box?.height ?? 0);
  expect(bottomOf(line)).toBeLessThan(bottomOf(editor));
});

test('an example opens in a new tab, whatever the editor holds', async () => {
  const page = await browser.open(`${service.url}/graphql`, wide);
  await page.locator(readyButton).waitFor();
  await page.getByRole('navigation', { name: 'Examples' }).getByText('CountriesOf').click();
  await expect.poll(() => page.locator('.graphiql-tab').count(), patient).toBe(2);
  const held = () => shown(page, '.graphiql-query-editor .CodeMirror-code');
  await expect.poll(held, patient).not.toContain('BookById');
  await expect.poll(held, patient).toContain('CountriesOf');
  // The tab has the name of the operation once the editor has read it; before, the button runs the one of the first tab.
  await page.locator('.graphiql-tab', { hasText: 'CountriesOf' }).waitFor();
  await page.locator('.graphiql-execute-button:not([aria-haspopup])').click();
  await expectResponse(page, '"countries": [', '"currency": {');
});

test('the editor has the theme of the page, and an empty response says what to do', async () => {
  const page = await browser.open(`${service.url}/graphql`, { ...wide, colorScheme: 'dark' });
  await page.locator('body.graphiql-dark').waitFor();
  const hint = "getComputedStyle(document.querySelector('.graphiql-response'), '::before').content";
  await page.locator(readyButton).waitFor();
  expect(await page.evaluate(hint)).toContain('The response appears here.');
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await page.locator('body.graphiql-light').waitFor();
  await run(page, 'BookById');
  await expectResponse(page, 'Tolkien');
  expect(await page.evaluate(hint)).toBe('none');
});

test('on a phone the documentation fills the window, until it is closed', async () => {
  const page = await browser.open(`${service.url}/graphql`, {
    viewport: { width: 360, height: 780 },
  });
  await page.locator(readyButton).waitFor();
  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
  const docs = page.locator('.graphiql-plugin');
  await docs.getByRole('link', { name: 'Query' }).waitFor();
  expect((await docs.boundingBox())?.width).toBeGreaterThan(350);
  expect((await docs.boundingBox())?.height).toBeGreaterThan(400);
  await page.getByRole('button', { name: 'Hide Documentation Explorer' }).click();
  await page.locator('.graphiql-query-editor').waitFor();
});

test('the examples stay away after a user has emptied the editor', async () => {
  const page = await browser.open(`${service.url}/graphql`, wide);
  await page.locator(readyButton).waitFor();
  await page.locator('.graphiql-query-editor .CodeMirror-code .CodeMirror-line').first().click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await expect
    .poll(() => page.evaluate(`localStorage.getItem('practice-api:graphiql:query')`), patient)
    .toBeNull();
  await expect
    .poll(() => page.evaluate(`localStorage.getItem('practice-api:graphiql:tabState')`), patient)
    .not.toContain('BookById');
  await page.reload();
  await page.getByRole('link', { name: 'Query' }).waitFor();
  expect(await shown(page, '.graphiql-query-editor .CodeMirror-code')).not.toContain('BookById');
});

test('an API client may send the text of the editor as well', async () => {
  for (const operationName of exampleDocument.match(/(?<=^(?:query|mutation) )\w+/gm) ?? []) {
    const { status, json } = await service.send('POST /graphql', {
      json: { query: exampleDocument, variables: exampleVariables, operationName },
    });
    expect(status, operationName).toBe(200);
    expect(json, operationName).not.toHaveProperty('errors');
  }
});

test('the documentation is open, and leads from the queries to a type', async () => {
  const page = await browser.open(`${service.url}/graphql`, wide);
  const docs = page.locator('.graphiql-plugin');
  await docs.getByRole('link', { name: 'Query' }).click();
  await docs.getByRole('link', { name: 'Book', exact: true }).first().click();
  await expect.poll(() => docs.innerText(), patient).toMatch(/isbn:\s*String!/);
});

test('completion knows the schema', async () => {
  const page = await browser.open(`${service.url}/graphql`, wide);
  await openTab(page);
  await page.keyboard.type('{ cou');
  await page.locator('.CodeMirror-hints').getByText('countries').first().waitFor();
});

test('headers of the caller are sent, and an error is shown unchanged', async () => {
  const page = await browser.open(`${service.url}/graphql`, {
    ...wide,
    expectedErrors: /status of 400/,
  });
  const requests: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') requests.push(String(request.headers()['x-sandbox']));
  });
  await openTab(page);
  await page.keyboard.type('{ nothing');
  await page.getByRole('button', { name: 'Headers' }).click();
  await page.locator('.graphiql-editor-tool .CodeMirror:visible').click();
  await page.keyboard.type('{"X-Sandbox": "mine"');
  await page.keyboard.press('Control+Enter');
  await expectResponse(page, '"errors": [', 'nothing');
  expect(requests.at(-1)).toBe('mine');
});

test('after a reload the editor has the typed text, in no more tabs than before', async () => {
  const page = await browser.open(`${service.url}/graphql`, wide);
  await run(page, 'BookById');
  await expectResponse(page, 'The Hobbit');
  await page.reload();
  await page.locator('.graphiql-query-editor .CodeMirror-code .CodeMirror-line').first().click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('# mine ');
  // The editor saves it a moment after the last key.
  await page.waitForTimeout(1000);
  await page.reload();
  await expect
    .poll(() => shown(page, '.graphiql-query-editor .CodeMirror-code'), patient)
    .toContain('# mine # Press');
  expect(await page.locator('.graphiql-tab').count()).toBe(1);
  await expect
    .poll(() => shown(page, '.graphiql-editor-tool .CodeMirror-code >> visible=true'), patient)
    .toContain('"id": 1');
});

test.each([
  ['light', 1400],
  ['dark', 1400],
  ['light', 390],
  ['dark', 390],
] as const)('in %s and %d pixels wide the page fits its window', async (colorScheme, width) => {
  const page = await browser.open(`${service.url}/graphql`, {
    colorScheme,
    viewport: { width, height: 844 },
  });
  await page.locator('.graphiql-query-editor .CodeMirror-code .CodeMirror-line').first().waitFor();
  await run(page, 'BookById');
  await expectResponse(page, 'Tolkien');
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  );
  expect(overflow).toBe(false);
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/ide-${colorScheme}-${width}.png` });
});

test('a slash at the end of the URL changes nothing', async () => {
  const page = await browser.open(`${service.url}/graphql/`, wide);
  await run(page, 'BookById');
  await expectResponse(page, 'The Hobbit');
  const home = await page.getByRole('link', { name: 'Practice API' }).getAttribute('href');
  expect(new URL(home ?? 'none', page.url()).href).toBe(`${service.url}/`);
});
