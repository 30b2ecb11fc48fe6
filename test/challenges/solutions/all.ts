/** Solutions of every challenge. */

import { authenticationSolutions } from './authentication.js';
import { graphqlSolutions } from './graphql.js';
import { httpSolutions } from './http.js';
import { oidcSolutions } from './oidc.js';
import { resilienceSolutions } from './resilience.js';
import { restSolutions } from './rest.js';
import { soapSolutions } from './soap.js';
import type { Solutions } from './solution.js';
import { streamsSolutions } from './streams.js';
import { webhooksSolutions } from './webhooks.js';

export const solutions: Solutions = {
  ...httpSolutions,
  ...restSolutions,
  ...authenticationSolutions,
  ...oidcSolutions,
  ...graphqlSolutions,
  ...soapSolutions,
  ...webhooksSolutions,
  ...streamsSolutions,
  ...resilienceSolutions,
};
