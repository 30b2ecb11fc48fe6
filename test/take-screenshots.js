/**
 * Makes the screenshots of the README and the guides from a running service: `npm run pictures`. It
 * needs Chromium.
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

/** Fills a bin with a few requests, and opens a signed one. */
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
  // A format that Playwright does not support, with a third of the size of PNG.
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
  const file = new URL(`../docs/images/${name}.webp`, import.meta.url);
  writeFileSync(file, Buffer.from(data, 'base64'));
  await page.close();
}
