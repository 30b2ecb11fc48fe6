/**
 * Functions that steer a sandbox, for areas whose clients call them by other protocols. They throw an HttpError for
 * invalid input.
 */

import type { Awaitable } from '#base/awaitable.js';
import type { JsonObject } from '#base/json-object.js';
import type { Sandbox } from '#state/state.js';
import { OfferToken } from './offers.js';

/** Replaces the fault plan, and returns it. */
export type PlanFaults = (sandbox: Sandbox, plan: JsonObject) => Promise<JsonObject>;

export const planFaultsToken = new OfferToken<Awaitable<PlanFaults>>('fault plans');

export interface RecordWrite {
  /** `merge` changes some fields (RFC 7396). */
  readonly kind: 'create' | 'merge' | 'remove';
  /** Absent for a new record. */
  readonly id?: number;
  readonly body?: unknown;
  /** Entity tag that the record must still have; else 412. */
  readonly ifMatch?: string;
}

/** Writes a record of a collection, and returns it; `undefined` if it was removed. */
export type WriteRecord = (
  sandbox: Sandbox,
  collection: string,
  write: RecordWrite,
  baseUrl: () => string,
) => Promise<JsonObject | undefined>;

export const writeRecordToken = new OfferToken<WriteRecord>('writes of records');

/** Returns the entity tag of a record, as REST shows it. */
export type TagRecord = (record: object) => string;

export const tagRecordToken = new OfferToken<TagRecord>('entity tags of records');

export interface BinSteering {
  /** Creates a webhook bin, and returns it. */
  readonly createBin: (
    sandbox: Sandbox,
    baseUrl: string,
    name: string | null,
  ) => Promise<JsonObject>;
  /** Returns the newest captures of a bin, without long bodies. */
  readonly readBin: (sandbox: Sandbox, id: string) => Promise<readonly JsonObject[]>;
}

export const binsToken = new OfferToken<Awaitable<BinSteering>>('bins');
