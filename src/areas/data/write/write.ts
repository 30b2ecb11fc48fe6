/** A write to a collection as a value: what was asked for, which can be done now, later, or with others. */

import type { Preferred } from '../../../http/body/parse-prefer.js';
import type { FieldFault } from '../../../http/http-error.js';
import type { RecordId, ResourceRecord } from '../source/record-fields.js';
import type { WriteConditions } from './check-preconditions.js';

/** What a client sent, and what its schema finds wrong with it. */
interface Sent<Body> {
  readonly body: Body;
  readonly faults: readonly FieldFault[];
}

type Members = Readonly<Record<string, unknown>>;

interface ToRecord {
  readonly id: RecordId;
  readonly conditions: WriteConditions;
}

/** It survives JSON. */
export type Write =
  | ({ readonly kind: 'create' } & Sent<Members>)
  | ({ readonly kind: 'replace'; readonly isUpsert: boolean } & ToRecord & Sent<Members>)
  /** A merge patch. */
  | ({ readonly kind: 'merge' } & ToRecord & Sent<Members>)
  /** A JSON patch. */
  | ({ readonly kind: 'patch'; readonly body: unknown } & ToRecord)
  | ({ readonly kind: 'remove'; readonly isPurge: boolean } & ToRecord)
  | ({ readonly kind: 'restore' } & ToRecord);

/** What a write came to, before anybody has said in which format. It survives JSON. */
export interface WriteResult {
  readonly status: 200 | 201 | 202 | 204 | 207;
  readonly record?: ResourceRecord;
  /** As the header has it. */
  readonly lastModified?: string;
  /** What is sent as JSON, where it is no record. */
  readonly json?: unknown;
  /** Below the base URL. */
  readonly location?: string;
  readonly retryAfterSeconds?: number;
  /** The job that will do it. */
  readonly jobId?: string;
  /** The preferences that were honoured. */
  readonly applied?: Preferred;
}
