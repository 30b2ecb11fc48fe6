/** Limits of functions that no single request reaches exactly, or only at great cost. */

import { describe } from 'vitest';
import { useService } from '../../support/service.js';
import { allRules } from './all-rules.js';
import { testRules } from './rule.js';

const service = useService({ h2c: true });

for (const [area, rules] of Object.entries(allRules))
  describe(area, () => testRules(service, rules));
