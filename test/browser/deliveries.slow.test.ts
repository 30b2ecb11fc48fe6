/** The deliveries on the page of bins in Chromium: live, by keyboard, in both themes and all widths. */

import { expect, test } from 'vitest';
import { hooksOf } from '../deliveries/hooks.js';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';
import { lookAt } from './look-at.js';
import { tabTo } from './tab-to.js';

const service = useService();
const browser = useBrowser();
const patient = { timeout: 30_000 };

test('a subscription is created, and its deliveries are followed and redelivered, by keyboard', async () => {
  const hooks = hooksOf(service, 'seen');
  await hooks.call('PUT /api/sandbox/data', { orders: [] });
  const page = await browser.open(`${service.url}/s/seen/bins#deliveries`);
  const rows = page.locator('#delivery-rows tr');
  const focused = () => page.evaluate('document.activeElement.textContent');
  await page.getByText('No subscription yet.').waitFor();
  expect(await page.locator('#listen-line').innerText()).toBe(
    `practice-api listen --url ${service.url}/s/seen --forward http://localhost:8000/hook`,
  );
  await lookAt(page, 'Webhook bins', [1400, 768, 360]);

  await tabTo(page, '#subscribe-events');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('orders.*');
  await page.keyboard.press('Enter');
  const secret = await page.locator('#subscription-secret code').innerText();
  expect(secret).toMatch(/^whsec_/);
  await page.getByText('No delivery yet.').waitFor();

  const { json } = await hooks.call(`GET /api/webhooks/subscriptions`);
  const { id } = json[0];
  await hooks.call('POST /my/orders', { total: 12 });
  await rows.getByText('orders.created').waitFor();
  const [delivery] = await hooks.due(id);
  await hooks.report(id, delivery, 503);
  await rows.getByText(/^waiting, due /).waitFor();
  await hooks.advance(10);
  await hooks.report(id, (await hooks.due(id))[0], 204);
  await rows.getByText('delivered').waitFor();
  expect(await rows.locator('td').nth(3).innerText()).toBe('204');

  await page.setViewportSize({ width: 360, height: 844 });
  // The button is in view before anyone scrolls the table.
  const [shown, within] = [
    await page.locator('#delivery-rows button').boundingBox(),
    await page.locator('#delivery-table').boundingBox(),
  ];
  expect(within?.x).toBeGreaterThanOrEqual(0);
  expect(shown?.x).toBeGreaterThan(within?.x ?? Number.NaN);
  expect((shown?.x ?? 0) + (shown?.width ?? Number.NaN)).toBeLessThanOrEqual(360);
  await tabTo(page, '#delivery-rows button', 'Redeliver');
  await page.keyboard.press('Enter');
  await rows.getByText('(redelivery)').waitFor();
  await expect
    .poll(() => page.locator('#announcement').innerText(), patient)
    .toContain('due again');
  expect(await focused()).toBe('Redeliver');
  expect((await hooks.due(id))[0]).toMatchObject({ id: delivery.id, repeated: 'redelivery' });
  // A newer delivery is above it; the focus stays.
  await hooks.call('POST /my/orders', { total: 13 });
  await expect.poll(() => rows.count(), patient).toBe(2);
  const second = "document.querySelectorAll('#delivery-rows tr')[1]";
  expect(await page.evaluate(`${second}.contains(document.activeElement)`)).toBe(true);
  const types = ['payment_intent.succeeded', 'customer.subscription.trial_will_end'];
  const long = await hooks.subscribe({ events: types });
  await page.getByRole('button', { name: types.join(', ') }).waitFor();
  await lookAt(page, 'Webhook bins', [1400, 768, 360]);
  await hooks.call(`DELETE /api/webhooks/subscriptions/${long.id}`);
  await page.getByRole('button', { name: types.join(', ') }).waitFor({ state: 'detached' });

  await hooks.report(id, (await hooks.due(id))[0], 410);
  await page.getByText('The receiver responded with 410 Gone.').waitFor();
  await tabTo(page, '#subscriptions button', 'Enable');
  await page.keyboard.press('Enter');
  await page.getByText('standard-webhooks, enabled').waitFor();
  await tabTo(page, '#subscriptions button', 'Delete');
  await page.keyboard.press('Enter');
  await page.getByText('No subscription yet.').waitFor();
  expect(await focused()).toBe('Deliveries');
});

test('names of events and reasons are shown as text, and a malformed type has a message', async () => {
  const expectedErrors = /status of 400/;
  const page = await browser.open(`${service.url}/s/typed/bins#deliveries`, { expectedErrors });
  const hooks = hooksOf(service, 'typed');
  const name = '<img src=x onerror=alert(1)>';
  await hooks.subscribe({ name });
  await page.getByRole('button', { name }).waitFor();
  expect(await page.locator('#subscriptions img').count()).toBe(0);
  await page.getByLabel('Events').fill('*.created');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await page.getByText('events.0 must be of this form').waitFor();
  expect(await page.locator('#subscription-secret').isVisible()).toBe(false);
});

test('bins and deliveries are views of one page, also without a sandbox of the visitor', async () => {
  const page = await browser.open(`${service.url}/bins`);
  await page.locator('#bin').waitFor();
  await page.getByRole('link', { name: 'Deliveries' }).press('Enter');
  await page.getByText('No subscription yet.').waitFor();
  expect(await page.title()).toBe('Webhook deliveries · Practice API');
  expect(await page.locator('#view-deliveries').getAttribute('aria-current')).toBe('page');
  const name = await page.locator('#bar-name').innerText();
  expect(await page.locator('#listen-line').innerText()).toContain(` --sandbox ${name} `);
  await page.getByRole('link', { name: 'Bins', exact: true }).press('Enter');
  await page.locator('#deliveries').waitFor({ state: 'hidden' });
  expect(await page.title()).toContain('Webhook bins');
});
