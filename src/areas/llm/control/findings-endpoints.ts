/** The findings of the judge in a sandbox. */

import { findingsEndpoints as endpointsOf } from '#kit/verdict/findings-endpoints.js';
import { clientRules, judgeName } from '../judge/rules.js';
import { path, sandboxOf } from './script-endpoints.js';

export const findingsEndpoints = endpointsOf({
  path: `${path}/findings`,
  judge: judgeName,
  rules: clientRules,
  clients: 'clients of language models',
  // The page and the guides have it.
  isHidden: true,
  sandboxOf,
});
