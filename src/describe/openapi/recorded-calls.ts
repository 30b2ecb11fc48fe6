/** Calls of a service and its responses to them, recorded by the tests: the examples of the description. */

import { readPackageFile } from '../../base/package/package-files.js';
import type { JsonValue } from './json.js';

/** By `operationId`, in the order in which they were made. */
export type RecordedCalls = Readonly<Record<string, readonly RecordedCall[]>>;

export interface RecordedCall {
  /** What is shown with it, in a few words. */
  readonly name: string;
  readonly request: RecordedRequest;
  readonly answer: RecordedResponse;
}

export interface RecordedRequest {
  /** The values of path parameters, by name. */
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | readonly string[]>>;
  /** By name as it is usually written; the Content-Type among them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What a JSON body is, or any other as text. */
  readonly body?: JsonValue;
}

export interface RecordedResponse {
  readonly status: number;
  /** By name in lower case, without those that every response has. */
  readonly headers: Readonly<Record<string, string>>;
  /** What a JSON body is, or any other as text; none where it is not kept. */
  readonly body?: JsonValue;
}

/** In the package, beside the data. */
export const recordedCallsFile = 'data/recorded-calls.json';

export function loadRecordedCalls(): RecordedCalls {
  return JSON.parse(String(readPackageFile(recordedCallsFile)));
}
