/** The downloads as text. They name the service by a placeholder; see `src/http/caching/addressed-content.ts`. */

import type { Steps } from '../../base/run-steps.js';
import { placeholderBaseUrl as baseUrl } from '../../http/caching/addressed-content.js';
import type { Premises } from '../../kit/infrastructure.js';
import { describeService } from '../openapi/describe-service.js';
import { loadRecordedCalls } from '../openapi/recorded-calls.js';
import { SampleCollector } from './collect-samples.js';
import { gatherCollections } from './gather-collections.js';
import { httpFile } from './http-file.js';
import { postmanCollection } from './postman-collection.js';

export type DownloadFormat = 'postman' | 'http';

/**
 * With the default credentials, which calls were recorded with; `putCredentials` puts others in their place. With
 * `isInside` the base URL names the sandbox, and requests do not.
 */
export function* writeDownload(
  format: DownloadFormat,
  { areas, catalogue, config, defaults }: Premises,
  isInside: boolean,
): Steps<string> {
  const known = gatherCollections(areas, isInside);
  const credentials = known.variables(defaults);
  const isAccountRequired = config.accounts === 'required';
  const recordedCalls = loadRecordedCalls();
  yield;
  const description = yield* describeService(catalogue.routes, {
    baseUrl,
    isAccountRequired,
    recordedCalls,
  });
  const collector = new SampleCollector(description, recordedCalls, known, credentials, isInside);
  yield;
  if (format === 'http') {
    const options = { isAccountRequired, isInside };
    return yield* httpFile(collector, baseUrl, known, credentials, options);
  }
  return JSON.stringify(yield* postmanCollection(collector, baseUrl, known, credentials, isInside));
}
