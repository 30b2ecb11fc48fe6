/** The page of verdicts in Chromium: live, by keyboard, on paper, in both themes and all widths. */

import { expect, test } from 'vitest';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';
import { lookAt } from './look-at.js';

const service = useService();
const browser = useBrowser();

async function retryUnsafely(headers: Readonly<Record<string, string>>): Promise<void> {
  const json = { rules: [{ sequence: [{ status: 503 }] }] };
  await service.send('PUT /api/sandbox/faults', { headers, json });
  for (const title of ['Emma', 'Emma']) {
    await service.send('POST /api/Books', { headers, json: { title } });
  }
}

test('verdicts appear, their requests open, and the rest is the plan', async () => {
  const page = await browser.open(`${service.url}/verdicts`);
  await page.getByText('Nothing has been observed yet.').waitFor();
  await page.waitForFunction("document.getElementById('recording').checked");
  const name = await page.locator('#bar-name').innerText();
  const headers = { 'X-Sandbox': name };

  await retryUnsafely(headers);
  const retries = page.locator('#retries');
  const rule = retries.locator('[data-rule="safe-repetition"]');
  await rule.getByText('broken').waitFor();
  await page.getByText(/^1 of \d+ judges have observed your client: 1 broken/).waitFor();
  expect(await rule.innerText()).toContain('RFC 9110 section 9.2.2');
  expect(await retries.locator('[data-rule="jitter"]').isVisible()).toBe(false);
  await page.getByLabel('Rules').selectOption('all');
  expect(await retries.locator('[data-rule="jitter"]').isVisible()).toBe(true);
  const line = await retries.getByLabel('Line for CI').inputValue();
  expect(line).toBe(
    `curl -sS --fail-with-body '${service.url}/s/${name}/api/sandbox/verdicts?judge=retries&fail=broken'`,
  );

  await rule.getByRole('button', { name: 'Open the request' }).first().press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Request' });
  await dialog.getByText('503 Service Unavailable').waitFor();
  expect(await dialog.getByLabel('Request', { exact: true }).innerText()).toContain(
    'POST /api/Books HTTP/1.1',
  );
  await lookAt(page, 'Verdicts', [1400, 360]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await lookAt(page, 'Verdicts', [1400, 768, 360]);

  await retries.getByRole('button', { name: 'Clear' }).press('Enter');
  await page.getByText('Nothing has been observed yet.').waitFor();
});

test('a run of a test plan starts here, and shows the URL of each case', async () => {
  const page = await browser.open(`${service.url}/s/planned/verdicts#llm-streams`);
  const section = page.locator('#llm-streams');
  await section.getByRole('button', { name: 'Start a run' }).press('Enter');
  const url = section.locator('[data-url]').first();
  await url.waitFor();
  const path = `${await url.innerText()}/chat/completions`.replace('{case}', 'reset-text');
  expect(path).toContain(`${service.url}/s/planned/llm/test-plan/runs/run_`);
  const json = { model: 'practice-1', messages: [{ role: 'user', content: 'count to 9' }] };
  const headers = { authorization: 'Bearer sk-practice-openai' };
  await service.send(`POST ${path.slice(service.url.length)}`, { headers, json });
  const runs = `${path.slice(service.url.length).split('/reset-text')[0]}`;
  await service.send(`PUT ${runs}/reset-text`, { json: { outcome: 'handled' } });
  await section.locator('[data-rule="reset-text"]').getByText('kept').waitFor();
});

test('paper has the judges that have observed something, and no controls', async () => {
  await retryUnsafely({ 'X-Sandbox': 'printed' });
  const page = await browser.open(`${service.url}/s/printed/verdicts`);
  await page.locator('#retries').getByText('broken').first().waitFor();
  await page.locator('#retries summary').press('Enter');
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  await page.emulateMedia({ media: 'print' });
  const isShown = (selector: string) => page.locator(selector).first().isVisible();
  expect(await isShown('#retries [data-rule="safe-repetition"]')).toBe(true);
  expect(await isShown('#printed')).toBe(true);
  for (const hidden of ['#cache', '.site-header', '#print', '#retries [data-copy]']) {
    expect(await isShown(hidden), hidden).toBe(false);
  }
  await page.evaluate("dispatchEvent(new Event('afterprint'))");
  await page.emulateMedia({ media: 'screen' });
  expect(await isShown('#retries table')).toBe(false);
});

test('everything can be reached by keyboard', async () => {
  await retryUnsafely({ 'X-Sandbox': 'keys' });
  const page = await browser.open(`${service.url}/s/keys/verdicts`);
  await page.locator('#retries').getByText('broken').first().waitFor();
  const focused = () =>
    page.evaluate(
      'document.activeElement.id || document.activeElement.textContent.trim().slice(0, 40)',
    );
  const met: string[] = [];
  await page.locator('.skip').focus();
  await page.keyboard.press('Enter');
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press('Tab');
    met.push(String(await focused()));
  }
  expect(met.some((each) => each.startsWith('Open the request'))).toBe(true);
  expect(met).toContain('retries-ci');
  await page.locator('#retries summary').focus();
  await page.keyboard.press('Enter');
  expect(await page.locator('#retries').getAttribute('open')).toBeNull();
});

test('without JavaScript, the page has every rule', async () => {
  const page = await browser.open(`${service.url}/verdicts`, { javaScriptEnabled: false });
  expect(await page.locator('[data-rule]').count()).toBeGreaterThan(300);
});
