/** The description as text. It names the service by a placeholder; see `src/server/addressed-content.ts`. */

import { placeholderBaseUrl } from '../server/addressed-content.js';
import type { CataloguedRoute } from '../server/route-catalogue.js';
import type { Steps } from '../server/run-steps.js';
import { describeService } from './describe-service.js';
import { loadRecordedCalls } from './recorded-calls.js';
import { writeYaml } from './write-yaml.js';

export function* writeDescription(
  format: 'json' | 'yaml',
  routes: readonly CataloguedRoute[],
  isAccountRequired: boolean,
): Steps<string> {
  const recordedCalls = loadRecordedCalls();
  yield;
  const description = yield* describeService(routes, {
    baseUrl: placeholderBaseUrl,
    isAccountRequired,
    recordedCalls,
  });
  return format === 'json' ? JSON.stringify(description) : yield* writeYaml(description);
}
