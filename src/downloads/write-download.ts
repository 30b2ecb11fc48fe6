/** The downloads as text. They name the service by a placeholder; see `src/server/addressed-content.ts`. */

import { describeService } from '../openapi/describe-service.js';
import { loadRecordedCalls } from '../openapi/recorded-calls.js';
import { placeholderBaseUrl as baseUrl } from '../server/addressed-content.js';
import type { Premises } from '../server/infrastructure.js';
import { SampleCollector } from './collect-samples.js';
import { gatherCollections } from './gather-collections.js';
import { httpFile } from './http-file.js';
import { postmanCollection } from './postman-collection.js';

/** With `isInside` the base URL names the sandbox, and requests do not. */
export function writeDownload(
  format: 'postman' | 'http',
  { areas, catalogue, config, defaults }: Premises,
  isInside: boolean,
): string {
  const known = gatherCollections(areas, isInside);
  // The calls were recorded with the settings of a service that is told nothing.
  const demo = known.variables(defaults);
  const isAccountRequired = config.accounts === 'required';
  // GET /api/auth tells no stranger what is in force where accounts are required.
  const credentials = isAccountRequired ? demo : known.variables(config);
  const recordedCalls = loadRecordedCalls();
  const description = describeService(catalogue.routes, {
    baseUrl,
    isAccountRequired,
    recordedCalls,
  });
  const collector = new SampleCollector(description, recordedCalls, known, demo, isInside);
  return format === 'postman'
    ? JSON.stringify(postmanCollection(collector, baseUrl, known, credentials, isInside))
    : httpFile(collector, baseUrl, known, credentials, { isAccountRequired, isInside });
}
