/** The page Explore and report in Chromium: by mouse and by keyboard, in both themes and widths. */

import { expect, test } from 'vitest';
import { violationsOf } from '../support/axe.js';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';

const service = useService();
const browser = useBrowser();

const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1400, 390].map((width) => [colorScheme, width] as const),
);

test('a visitor switches on a bug, sees it in a response, reports it, and gives up', async () => {
  const page = await browser.open(`${service.url}/explore`);
  await page.getByText('No bugs are switched on.').waitFor();
  await page.fill('#count', '1');
  await page.fill('#seed', '4');
  await page.click('#bugs button[type=submit]');
  await page.getByText('1 of 1 bugs left (junior, seed 4).').waitFor();

  await page.fill('#request-path', '/api/Companies/999');
  // By keyboard from here on: the fields are in the order of their use.
  await page.locator('#request-path').press('Enter');
  await page.locator('#response-status:focus').getByText('200 OK').waitFor();
  await page.locator('#expected').focus();
  await page.keyboard.type('404');
  await page.keyboard.press('Tab');
  await page.keyboard.type('200');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('#verdicts').getByText('The status is 200 instead of 404.').waitFor();
  await page.getByText('0 of 1 bugs left').waitFor();
  expect(await page.locator('#found li').count()).toBe(1);

  for (const [colorScheme, width] of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 844 });
    const look = `explore-${colorScheme}-${width}`;
    const folder = process.env.SCREENSHOTS;
    if (folder) await page.screenshot({ path: `${folder}/${look}.png`, fullPage: true });
    const overflow = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(overflow, look).toBeLessThanOrEqual(0);
    expect(await violationsOf(page), look).toEqual([]);
  }

  await page.click('#give-up');
  await page.click('#confirm-yes');
  await page.getByText('These were the bugs.').waitFor();
  await page.locator('#found').getByText('Found.').waitFor();
});

test('a fault of the visitor is shown', async () => {
  const page = await browser.open(`${service.url}/s/explorer/explore`, {
    expectedErrors: /status of 409/,
  });
  await page.fill('#request-headers', 'no colon');
  await page.locator('#request-path').press('Enter');
  await page.locator('#fault').getByText('A header needs a name').waitFor();
  await page.fill('#request-headers', '');
  await page.fill('#expected', 'x');
  await page.fill('#actual', 'y');
  await page.click('#report button[type=submit]');
  await page.locator('#fault').getByText('No bugs are switched on.').waitFor();
});
