/** The pages of payments in a browser: by keyboard only, without scripts, in all widths and both schemes. */

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { violationsOf } from '../support/axe.js';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';
import { clientOf } from '../support/stripe-client.js';

const service = useService();
const browser = useBrowser();
const stripe = clientOf(service, 'browser');

const session = () =>
  stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [
      {
        quantity: 2,
        price_data: {
          currency: 'usd',
          unit_amount: 800,
          product_data: { name: 'A cup with a long name' },
        },
      },
    ],
    success_url: `${service.url}/payments?session={CHECKOUT_SESSION_ID}`,
    cancel_url: `${service.url}/payments`,
  });

const secure = () =>
  stripe.paymentIntents.create({
    ...{ amount: 2500, currency: 'eur', payment_method_types: ['card'], confirm: true },
    payment_method: 'pm_card_threeDSecure2Required',
    return_url: `${service.url}/payments`,
  });

/** Types into the fields in their order, and submits with Enter. */
async function pay(page: Page, number: string): Promise<void> {
  await page.locator('input').first().focus();
  for (const text of ['ann@example.com', 'Ann', number, '12 / 34', '123']) {
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
}

test('a customer pays by keyboard, after a declined card and 3D Secure', async () => {
  const { url, id } = await session();
  const page = await browser.open(url ?? '');
  await pay(page, '4000000000000002');
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').textContent()).toBe('Your card was declined.');
  await pay(page, '4539578763621486');
  await page.getByText('accepts only test cards').waitFor();
  expect(await page.content()).not.toContain('4539578763621486');
  await pay(page, '4000002760003184');
  const complete = page.getByRole('button', { name: 'Complete' });
  await complete.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/payments?session=${id}`);
  expect((await stripe.checkout.sessions.retrieve(id)).payment_status).toBe('paid');
});

test('a customer fails 3D Secure by keyboard, and returns to the shop', async () => {
  const { id, next_action: action } = await secure();
  const page = await browser.open(action?.redirect_to_url?.url ?? '');
  await page.getByRole('button', { name: 'Fail' }).focus();
  await page.keyboard.press('Space');
  await page.waitForURL('**/payments?**');
  expect(new URL(page.url()).searchParams.get('redirect_status')).toBe('failed');
  expect((await stripe.paymentIntents.retrieve(id)).status).toBe('requires_payment_method');
});

const pages: Readonly<Record<string, () => Promise<string>>> = {
  Payments: async () => `${service.url}/payments`,
  Checkout: async () => (await session()).url ?? '',
  '3D Secure': async () => (await secure()).next_action?.redirect_to_url?.url ?? '',
};

const looks = [360, 768, 1400].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => [width, colorScheme] as const),
);

test.each(
  Object.keys(pages).flatMap((name) =>
    looks.map(([width, scheme]) => [name, width, scheme] as const),
  ),
)(
  '%s at %i pixels, %s: axe finds nothing, and nothing overflows',
  async (name, width, colorScheme) => {
    const url = await pages[name]?.();
    const viewport = { width, height: 800 };
    const page = await browser.open(url ?? '', { colorScheme, viewport });
    expect(await page.locator('h1').textContent()).toBe(name);
    expect(await violationsOf(page)).toEqual([]);
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate<number>(overflow)).toBe(0);
    const folder = process.env.PRACTICE_PICTURES;
    if (folder) await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` });
  },
);
