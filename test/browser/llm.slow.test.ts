/** The page of the lab for clients of language models in Chromium: in both themes and all widths. */

import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';
import { lookAt } from './look-at.js';

const service = useService();
const browser = useBrowser();

/** Pixels of each field that a visitor does not see without scrolling. */
const hidden = `[...document.querySelectorAll('.copied textarea')].map((each) =>
  Math.max(0, each.scrollHeight - each.clientHeight, each.scrollWidth - each.clientWidth))`;

const openaiHeaders = { Authorization: 'Bearer sk-practice-openai' };

const request = (...contents: readonly string[]) => ({
  model: 'practice-1',
  stream: true,
  messages: contents.map((content, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content,
  })),
});

test('a visitor copies base URLs, sends prompts, and sees verdicts', async () => {
  const page = await browser.open(`${service.url}/llm`);
  await page.getByText('No script.').waitFor();
  const name = await page.locator('#bar-name').innerText();
  const place = `${service.url}/s/${name}/llm`;
  const field = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
  expect(await field('Base URL for OpenAI')).toBe(`${place}/openai/v1`);
  expect(await field('Base URL for Anthropic')).toBe(`${place}/anthropic`);
  expect(await field('Base URL for Gemini')).toBe(`${place}/gemini`);
  expect(await field('Base URL for Ollama')).toBe(`${place}/ollama`);
  const variables = page.locator('#variables');
  expect(await variables.innerText()).toBe(
    `export OPENAI_BASE_URL=${place}/openai/v1\nexport OPENAI_API_KEY=sk-practice-openai`,
  );
  await page.getByRole('radio', { name: 'openai' }).focus();
  await page.keyboard.press('ArrowRight');
  expect(await variables.innerText()).toContain(`ANTHROPIC_BASE_URL=${place}/anthropic\n`);
  await page.keyboard.press('ArrowRight');
  expect(await variables.innerText()).toContain(`GOOGLE_GEMINI_BASE_URL=${place}/gemini\n`);
  await page.keyboard.press('ArrowRight');
  expect(await variables.innerText()).toBe(`export OLLAMA_HOST=${place}/ollama`);
  await page.keyboard.press('ArrowRight');
  expect(await variables.innerText()).toContain(`ANTHROPIC_BASE_URL=${place}/anthropic/v1\n`);

  const events = page.locator('#events');
  const progress = page.locator('#progress');
  await page.getByRole('button', { name: 'Send' }).press('Enter');
  await progress.getByText('Status 200. The response ended').waitFor();
  expect(await events.innerText()).toMatch(/^data: \{"id":"chatcmpl-[\s\S]*data: \[DONE\]\s*$/);

  for (const [endpoint, last] of [
    ['gemini', '"finishReason":"STOP"'],
    ['ollama', '"done":true'],
  ] as const) {
    await page.getByLabel('Endpoint').selectOption(endpoint);
    await page.getByRole('button', { name: 'Send' }).press('Enter');
    await events.getByText(last).waitFor();
    await progress.getByText('Status 200. The response ended').waitFor();
  }

  await page.getByLabel('Endpoint').selectOption('messages');
  await page.getByLabel('Broken stream').selectOption('error-event-arguments');
  await page.locator('#expectation').getByText('A right client: Sends the request').waitFor();
  expect(await page.getByLabel('Require a tool call').isChecked()).toBe(true);
  await page.getByRole('button', { name: 'Send' }).press('Enter');
  await events.getByText('overloaded_error').waitFor();
  expect(await events.innerText()).toContain('"name":"get_weather"');

  await page.getByLabel('Broken stream').selectOption('silence-text');
  await page.getByRole('button', { name: 'Send' }).press('Enter');
  await progress.getByText('Reading …').waitFor();
  await page.getByRole('button', { name: 'Stop' }).press('Enter');
  await progress.getByText('You stopped it').waitFor();
  await page.getByText('The client closed 1 stream early.').waitFor();

  const ask = (...contents: readonly string[]) =>
    service.send(`POST /s/${name}/llm/openai/v1/chat/completions?misbehave=error-event&at=text`, {
      headers: openaiHeaders,
      json: request(...contents),
    });
  await ask('count to 9');
  await ask('count to 9', '1, 2', 'Thanks');
  await page.locator('#verdicts').getByText('1 against advice').waitFor();
  await service.send('PUT /api/sandbox/llm', {
    headers: { 'X-Sandbox': name },
    json: { turns: [{ text: 'Hi' }], misbehave: 'reset' },
  });
  await page.getByText('Script: 1 turn left, 0 used.').waitFor();
  await page.getByText('The sandbox misbehaves: reset-start').waitFor();
  await page.locator('#broken-streams summary').press('Enter');

  await lookAt(page, 'Language models', [1400, 390, 360]);
  expect(await page.evaluate(hidden)).toEqual([0, 0, 0, 0]);

  await page.getByRole('button', { name: 'End the script' }).press('Enter');
  await page.getByText('The sandbox misbehaves').waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'Test plan' }).press('Enter');
  await page.locator('#llm-streams').getByRole('button', { name: 'Start a run' }).waitFor();
});

test('below a sandbox, the page has its base URLs; without JavaScript, it lists what the lab has', async () => {
  const page = await browser.open(`${service.url}/s/own/llm`, { javaScriptEnabled: false });
  expect(await page.content()).toContain('Your client connects to /s/{sandbox}/llm/openai/v1');
  await page.getByRole('heading', { name: 'Models', exact: true }).click();
  await page.getByText('practice-1-small', { exact: true }).last().waitFor();
  const inSandbox = await browser.open(`${service.url}/s/own/llm`);
  await inSandbox.getByText('No script.').waitFor();
  expect(await inSandbox.getByLabel('Base URL for OpenAI', { exact: true }).inputValue()).toBe(
    `${service.url}/s/own/llm/openai/v1`,
  );
});
