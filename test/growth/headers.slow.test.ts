/** Shows that the cost of a header, query or path grows no faster than n log n, whatever its shape. */

import { afterAll, expect, test } from 'vitest';
import { everyThird } from '../support/every-third.js';
import { maxExponent } from '../support/growth.js';
import { useService } from '../support/service.js';
import { headCases } from './header-cases.js';
import { agent, growthOfRequest } from './measured-request.js';

const service = useService();
afterAll(() => agent.destroy());

test.each(everyThird(headCases).map((each) => [each.title, each] as const))(
  '%s',
  async (_title, { make, largest }) => {
    expect(await growthOfRequest(service.url, make, largest)).toBeLessThan(maxExponent);
  },
);
