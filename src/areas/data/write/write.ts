/** What a request does to records, as values that survive JSON, so that it can be done now, later, or with others. */

import type { Preferred } from '../../../http/body/parse-prefer.js';
import type { FieldFault, HttpErrorOptions } from '../../../http/http-error.js';
import type { DataRecord, RecordId } from '../source/fields.js';
import type { SentFields } from '../source/source.js';
import type { WriteConditions } from './check-preconditions.js';

/** The fields that a client sent, and what their schema finds wrong with them. */
export interface CheckedFields {
  readonly body: SentFields;
  /** References that lead nowhere are added later. */
  readonly faults: FieldFault[];
}

export interface WriteTarget {
  readonly id: RecordId;
  readonly conditions: WriteConditions;
}

export type Write =
  | ({ readonly kind: 'create' } & CheckedFields)
  | ({ readonly kind: 'replace'; readonly isUpsert: boolean } & WriteTarget & CheckedFields)
  /** A merge patch. */
  | ({ readonly kind: 'merge' } & WriteTarget & CheckedFields)
  /** A JSON patch. */
  | ({ readonly kind: 'patch'; readonly body: unknown } & WriteTarget)
  | ({ readonly kind: 'remove'; readonly isPurge: boolean } & WriteTarget)
  | ({ readonly kind: 'restore' } & WriteTarget);

export type WriteKind = Write['kind'];

interface Rejection extends HttpErrorOptions {
  readonly status: number;
  readonly message: string;
}

export interface BatchCommand {
  readonly isAtomic: boolean;
  readonly operations: readonly (Write | { readonly rejection: Rejection })[];
}

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
