import { test as base } from '@playwright/test';
import { createService } from 'practice-api';

/**
 * One service per worker; `request` calls it by paths, and each test uses its own sandbox.
 *
 * @typedef {import('practice-api').Service} Service
 * @type {import('@playwright/test').Fixtures<
 * {}, { service: Service },
 * import('@playwright/test').PlaywrightTestOptions,
 * import('@playwright/test').PlaywrightWorkerOptions
 * >}
 */
const fixtures = {
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads its dependencies here
    async ({}, use) => {
      const service = await createService();
      await use(service);
      await service.close();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ service }, use) => use(service.url),
  extraHTTPHeaders: async ({ service: _service }, use, { testId }) => use({ 'x-sandbox': testId }),
};
export const test = base.extend(fixtures);
