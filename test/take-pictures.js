/**
 * Takes the pictures of the README and the guides from a service that runs: `npm run pictures`. It needs Chromium.
 */

import { writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { build } from '../scripts/build.js';

/** @typedef {import('playwright-core').Page} Page */

const size = { width: 1280, height: 800 };
await build();
/** @type {typeof import('../src/index.js')} */
const { createService } = await import(new URL('../dist/index.js', import.meta.url).href);
const service = await createService({ port: 3000, host: 'localhost' });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    const page = await browser.newPage({ viewport: size, colorScheme });
    await page.goto(service.url, { waitUntil: 'networkidle' });
    await takePicture(page, `front-page-${colorScheme}`);
  }
  await takePicture(await filledBin(), 'bins-filled');
} finally {
  await browser.close();
  await service.close();
}

/** A bin that has got a few requests, with a signed one open. */
async function filledBin() {
  const page = await browser.newPage({ viewport: size });
  await page.goto(`${service.url}/bins`);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByLabel('Name').fill('Orders');
  await page.getByRole('button', { name: 'New bin' }).click();
  await page.getByRole('heading', { name: 'Orders' }).waitFor();
  const requests = page.locator('#requests a');
  for (const [count, kind] of ['json', 'form', 'github', 'stripe'].entries()) {
    await page.getByLabel('Kind of test request').selectOption(kind);
    await page.getByRole('button', { name: 'Send a test request' }).click();
    await requests.nth(count).waitFor();
  }
  await requests.first().click();
  await page.locator('#requests [aria-current]').waitFor();
  return page;
}

/**
 * @param {Page} page
 * @param {string} name
 */
async function takePicture(page, name) {
  const session = await page.context().newCDPSession(page);
  // A format that Playwright has no name for, and a third of what a PNG weighs.
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
  const file = new URL(`../docs/images/${name}.webp`, import.meta.url);
  writeFileSync(file, Buffer.from(data, 'base64'));
  await page.close();
}
