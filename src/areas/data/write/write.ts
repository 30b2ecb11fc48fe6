/**
 * A request's writes as values that can be serialized to JSON, so that they can be performed now, later, or together.
 */

import type { Preferred } from '#http/headers/parse-prefer.js';
import type { FieldFault, HttpError, HttpErrorOptions } from '#http/http-error.js';
import type { DataRecord, RecordId } from '../source/fields.js';
import type { SentFields } from '../source/source.js';
import type { WriteConditions } from './check-preconditions.js';

export type WriteKind = 'create' | 'replace' | 'merge' | 'patch' | 'remove' | 'restore';

export interface Write {
  readonly kind: WriteKind;
  /** The id of an existing record, or of a record that an upsert creates. */
  readonly id: RecordId;
  readonly conditions: WriteConditions;
  /** Empty for a write without fields. */
  readonly body: SentFields;
  readonly jsonPatch?: unknown;
  /** Errors found by the schema. Errors of dangling references are added later. */
  readonly faults: FieldFault[];
  readonly isUpsert: boolean;
  readonly isPurge: boolean;
}

export interface BatchCommand {
  readonly isAtomic: boolean;
  readonly operations: readonly (Write | RejectedOperation)[];
}

/** An operation with a malformed body. The conditions of its target come before that error. */
export interface RejectedOperation {
  readonly rejection: Rejection;
  readonly target?: Pick<Write, 'id' | 'conditions'>;
}

export type Rejection = HttpErrorOptions & Pick<HttpError, 'status' | 'message'>;

export type Command =
  | { readonly write: Write; readonly batch?: undefined }
  | { readonly batch: BatchCommand; readonly write?: undefined };

/** The result of a command, before it is formatted. */
export interface WriteResult {
  readonly status: 200 | 201 | 202 | 204 | 207;
  readonly record?: DataRecord;
  readonly lastModified?: string;
  /** Sent as JSON if the result is not a record. */
  readonly json?: unknown;
  readonly location?: string;
  readonly retryAfterSeconds?: number;
  readonly applied?: Preferred;
}
