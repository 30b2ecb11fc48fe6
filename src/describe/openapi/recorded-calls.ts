/**
 * Calls of the service and their responses, recorded by the tests: the examples of the description.
 */

import { brotliDecompressSync } from 'node:zlib';
import { isBuilt, readPackageFile } from '#base/package/package-files.js';
import type { JsonValue } from './json.js';

/** By `operationId`, in order of recording. */
export type RecordedCalls = Readonly<Record<string, readonly RecordedCall[]>>;

export interface RecordedCall {
  /** Title of the example, in a few words. */
  readonly name: string;
  readonly request: RecordedRequest;
  readonly response: RecordedResponse;
}

export interface RecordedRequest {
  /** The values of path parameters, by name. */
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | readonly string[]>>;
  /** By name in its usual spelling; includes Content-Type. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Parsed JSON, or any other body as text. */
  readonly body?: JsonValue;
}

export interface RecordedResponse {
  readonly status: number;
  /** By name in lower case, without the headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or any other body as text; absent if not recorded. */
  readonly body?: JsonValue;
}

/** Next to the data. The package has it in the compressed form that the build writes. */
export const recordedCallsFile = 'data/recorded-calls.json';

export function loadRecordedCalls(): RecordedCalls {
  const text = isBuilt
    ? brotliDecompressSync(readPackageFile('dist/recorded-calls.json.br'))
    : readPackageFile(recordedCallsFile);
  return JSON.parse(String(text));
}
