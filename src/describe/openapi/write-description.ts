/**
 * Writes the description as JSON, and other texts from it. A placeholder represents the base URL; see
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
  return JSON.stringify(description);
}

/** Writes the text of the whole description in another format, or only the operations of one tag. */
export function* writeFrom(
  whole: Buffer,
  format: 'json' | 'yaml',
  tag: string | undefined,
): Steps<string> {
  const description = JSON.parse(whole.toString('utf8')) as JsonObject;
  yield;
  const picked = tag === undefined ? description : pickTag(description, tag);
  yield;
  return format === 'json' ? JSON.stringify(picked) : yield* writeYaml(picked);
}
