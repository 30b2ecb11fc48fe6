/** The page of the HTTP/2 lab, which has its own port. */

import type { Page } from 'playwright-core';
import type { TestBrowser } from '../support/browser.js';
import { type TestService, useService } from '../support/service.js';

export const useLab = (): TestService => useService({ tls: true, http2LabPort: 0 });

export async function openLab(
  browser: TestBrowser,
  { send, tlsUrl }: TestService,
  viewport = { width: 1400, height: 900 },
): Promise<Page> {
  const [{ tlsUrl: first }] = (await send('GET /api/http2/plan')).json;
  const page = await browser.open(new URL('/', first).href, {
    ...{ viewport, ignoreHTTPSErrors: true, otherOrigin: tlsUrl },
  });
  await page.locator('#unusual').waitFor();
  return page;
}
