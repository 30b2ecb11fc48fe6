/**
 * Writes the downloads as text. A placeholder represents the base URL; see
 * `src/http/caching/addressed-content.ts`.
 */

import type { Steps } from '#base/run-steps.js';
import { placeholderBaseUrl as baseUrl } from '#http/caching/addressed-content.js';
import type { AppContext } from '#kit/infrastructure.js';
import { describeService } from '../openapi/describe-service.js';
import { loadRecordedCalls } from '../openapi/recorded-calls.js';
import { SampleCollector } from './collect-samples.js';
import { gatherCollections } from './gather-collections.js';
import { fileVariable, httpFile } from './http-file.js';
import { postmanCollection, postmanVariable } from './postman-collection.js';

export type DownloadFormat = 'postman' | 'http';

/**
 * Uses the default credentials, as the recorded calls do; `putCredentials` replaces them. With
 * `isInside` the base URL contains the sandbox, and requests do not name it.
 */
export function* writeDownload(
  format: DownloadFormat,
  { areas, catalogue, config, defaults }: AppContext,
  isInside: boolean,
): Steps<string> {
  const known = gatherCollections(areas, isInside);
  const credentials = known.variables(defaults);
  const isAccountRequired = config.accounts === 'required';
  const recordedCalls = loadRecordedCalls();
  yield;
  const options = { baseUrl, isAccountRequired, recordedCalls, formats: 'all' } as const;
  const description = yield* describeService(catalogue.routes, options);
  const collector = new SampleCollector(description, recordedCalls, known, credentials, isInside);
  yield;
  return format === 'http'
    ? yield* httpFile(collector, baseUrl, credentials, isAccountRequired, isInside)
    : JSON.stringify(yield* postmanCollection(collector, baseUrl, credentials, isInside));
}

/** Replaces the default credentials in `written` by the credentials of a service. */
export function putCredentials(
  format: DownloadFormat,
  written: Buffer,
  { areas, config, defaults }: AppContext,
): Buffer {
  // GET /api/auth hides the real credentials from strangers where accounts are required.
  if (config.accounts === 'required') return written;
  const { variables } = gatherCollections(areas, false);
  const own = variables(config);
  const changed = Object.entries(variables(defaults)).filter(
    ([name, value]) => own[name] !== value,
  );
  if (changed.length === 0) return written;
  const define = (name: string, value: string) =>
    format === 'http'
      ? `\n${fileVariable(name, value)}\n`
      : JSON.stringify(postmanVariable(name, value));
  const text = changed.reduce(
    (file, [name, value]) =>
      file.replace(define(name, value), () => define(name, own[name] ?? value)),
    written.toString(),
  );
  return Buffer.from(text);
}
