/**
 * Takes the pictures of the README from a service that runs: `npm run pictures`. It needs Chromium.
 */

import { writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { build } from './build.js';

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
    const session = await page.context().newCDPSession(page);
    // A format that Playwright has no name for, and a third of what a PNG weighs.
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
    const file = new URL(`../docs/images/front-page-${colorScheme}.webp`, import.meta.url);
    writeFileSync(file, Buffer.from(data, 'base64'));
    await page.close();
  }
} finally {
  await browser.close();
  await service.close();
}
