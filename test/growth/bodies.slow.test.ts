/** Shows that the cost of a body grows no faster than n log n, whatever its format. */

import { afterAll, expect, test } from 'vitest';
import { everyThird } from '../support/every-third.js';
import { maxExponent } from '../support/growth.js';
import { useService } from '../support/service.js';
import { bodyCases } from './body-cases.js';
import { agent, growthOfRequest } from './measured-request.js';

const service = useService();
afterAll(() => agent.destroy());

test.each(everyThird(bodyCases).map((each) => [each.title, each] as const))(
  '%s',
  async (_title, { make, largest }) => {
    expect(await growthOfRequest(service.url, make, largest)).toBeLessThan(maxExponent);
  },
);
