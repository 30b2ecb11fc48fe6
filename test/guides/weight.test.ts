/** The weight of a guide, as a browser with an empty cache loads it. */

import { expect, test } from 'vitest';
import { weighPage } from '../support/page-weight.js';
import { useService } from '../support/service.js';
import { names, pathOf } from './guide-names.js';

const service = useService();

test.each(names)('%s weighs at most 60 KiB with an empty cache', async (name) => {
  const { bytes, files } = await weighPage(service, pathOf(name));
  expect(bytes).toBeLessThanOrEqual(60 * 1024);
  expect(files.some((path) => path.endsWith('.js'))).toBe(true);
  expect(files.some((path) => path.endsWith('.css'))).toBe(true);
});
