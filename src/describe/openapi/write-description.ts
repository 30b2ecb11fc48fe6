/**
 * Writes the description as text. A placeholder represents the base URL; see
 * `src/http/caching/addressed-content.ts`.
 */

import type { Steps } from '#base/run-steps.js';
import { placeholderBaseUrl } from '#http/caching/addressed-content.js';
import type { CataloguedRoute } from '#kit/route-catalogue.js';
import { describeService } from './describe-service.js';
import type { Formats } from './formats.js';
import type { JsonObject } from './json.js';
import { pickTag } from './pick-tag.js';
import { loadRecordedCalls } from './recorded-calls.js';
import { writeYaml } from './write-yaml.js';

export function* writeDescription(
  format: 'json' | 'yaml',
  formats: Formats,
  routes: readonly CataloguedRoute[],
  isAccountRequired: boolean,
): Steps<string> {
  const recordedCalls = loadRecordedCalls();
  yield;
  const description = yield* describeService(routes, {
    baseUrl: placeholderBaseUrl,
    isAccountRequired,
    recordedCalls,
    formats,
  });
  return format === 'json' ? JSON.stringify(description) : yield* writeYaml(description);
}

/** Writes the operations of one tag from the text of the whole description as JSON. */
export function* writeTag(format: 'json' | 'yaml', whole: Buffer, tag: string): Steps<string> {
  const description = JSON.parse(whole.toString('utf8')) as JsonObject;
  yield;
  const picked = pickTag(description, tag);
  yield;
  return format === 'json' ? JSON.stringify(picked) : yield* writeYaml(picked);
}
