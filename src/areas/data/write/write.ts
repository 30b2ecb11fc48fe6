/** What a request does to records, as values that survive JSON, so that it can be done now, later, or with others. */

import type { Preferred } from '../../../http/headers/parse-prefer.js';
import type { FieldFault, HttpError, HttpErrorOptions } from '../../../http/http-error.js';
import type { DataRecord, RecordId } from '../source/fields.js';
import type { SentFields } from '../source/source.js';
import type { WriteConditions } from './check-preconditions.js';

export type WriteKind = 'create' | 'replace' | 'merge' | 'patch' | 'remove' | 'restore';

export interface Write {
  readonly kind: WriteKind;
  /** Of a record that there is, or that an upsert creates. */
  readonly id: RecordId;
  readonly conditions: WriteConditions;
  /** None of a write without fields. */
  readonly body: SentFields;
  readonly jsonPatch?: unknown;
  /** What the schema finds wrong with the fields; references that lead nowhere are added later. */
  readonly faults: FieldFault[];
  readonly isUpsert: boolean;
  readonly isPurge: boolean;
}

export interface BatchCommand {
  readonly isAtomic: boolean;
  readonly operations: readonly (Write | { readonly rejection: Rejection })[];
}

export type Rejection = HttpErrorOptions & Pick<HttpError, 'status' | 'message'>;

export type Command =
  | { readonly write: Write; readonly batch?: undefined }
  | { readonly batch: BatchCommand; readonly write?: undefined };

/** What a command came to, before a format is chosen. */
export interface WriteResult {
  readonly status: 200 | 201 | 202 | 204 | 207;
  readonly record?: DataRecord;
  readonly lastModified?: string;
  /** What is sent as JSON, where it is no record. */
  readonly json?: unknown;
  readonly location?: string;
  readonly retryAfterSeconds?: number;
  readonly applied?: Preferred;
}
