/** The page of challenges in Chromium: by keyboard only, in both themes and widths. */

import { expect, test } from 'vitest';
import { violationsOf } from '../support/axe.js';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';

const service = useService();
const browser = useBrowser();

test('a visitor starts a challenge, uses a hint, solves it, and starts over, by keyboard only', async () => {
  const page = await browser.open(`${service.url}/challenges`);
  await page.getByText(/^0 of \d+ solved, 0 points\./).waitFor();
  const name = await page.locator('#bar-name').innerText();
  await page.getByRole('link', { name: 'Only the headers' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Only the headers' }).waitFor();
  await page.getByRole('button', { name: 'Start', exact: true }).press('Enter');
  await page.getByRole('status', { name: 'What is missing' }).waitFor();

  await page.getByText(/^Hints: 0 taken/).press('Enter');
  await page.getByRole('button', { name: /^Take a hint for \d+ points$/ }).press('Enter');
  await page.getByText(/^Hints: 1 taken/).waitFor();

  const headers = { 'X-Sandbox': name };
  await service.send('GET /api/Books/1', { headers });
  await page.getByText('The response to GET also has the body.').waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1400, 390]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      const look = `challenges-${colorScheme}-${width}`;
      const folder = process.env.SCREENSHOTS;
      if (folder) await page.screenshot({ path: `${folder}/${look}.png`, fullPage: true });
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow, look).toBeLessThanOrEqual(0);
      expect(await violationsOf(page), look).toEqual([]);
    }
  }

  await service.send('HEAD /api/Books/1', { headers });
  await page.getByText('Solved.', { exact: true }).waitFor();
  await page.getByText(/^1 of \d+ solved, \d+ points, after \d+ for hints\./).waitFor();
  expect(await page.getByRole('link', { name: 'Only the headers' }).count()).toBe(1);

  await page.getByRole('button', { name: 'Start over' }).press('Enter');
  await page.locator('#confirm-yes').press('Enter');
  await page.getByText(/^0 of \d+ solved/).waitFor();
});

test('hints that the browser has taken in another of its sandboxes count', async () => {
  const headers = { 'X-Sandbox': 'elsewhere' };
  await service.send('POST /api/challenges/http-head/hint', { headers });
  const page = await browser.open(`${service.url}/challenges#http-head`);
  await page.evaluate("localStorage.setItem('practice-api-sandboxes', 'elsewhere')");
  await page.getByText(/^Hints: 0 taken/).waitFor();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText(/^Hints: 1 taken/).waitFor();
});

test('a link opens a challenge, also inside a sandbox', async () => {
  const page = await browser.open(`${service.url}/s/solver/challenges#http-head`);
  await page.getByRole('heading', { name: 'Only the headers' }).waitFor();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText(`curl ${service.url}/s/solver/`).waitFor();
});
