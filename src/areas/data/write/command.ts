/** What a request is to do, as a value that survives JSON: a write, or several. It is done at once, or as a job. */

import { withPictureUrls } from '../../../data/picture-address.js';
import { HttpError, type HttpErrorOptions } from '../../../http/http-error.js';
import type { Transaction } from '../../../state/state.js';
import { countValues } from '../patch/count-values.js';
import { Rendering } from '../source/render-record.js';
import { type DataRecord, maxResponseBytes, type Source } from '../source/source.js';
import { BatchError, type OperationResult, runOperations } from './batch.js';
import { maxPatchedValues, performWrite, type Target } from './perform-write.js';
import type { Write, WriteResult } from './write.js';

/** What is wrong with one of several operations, found before any is done. */
export interface Rejection extends HttpErrorOptions {
  readonly status: number;
  readonly message: string;
}

export interface BatchCommand {
  readonly isAtomic: boolean;
  readonly operations: readonly (Write | { readonly rejection: Rejection })[];
}

/** Either a write or several. */
export type Command =
  | { readonly write: Write; readonly batch?: undefined }
  | { readonly batch: BatchCommand; readonly write?: undefined };

/** `baseUrl` is the base URL of images of this service. */
export function performCommand(
  view: Transaction,
  source: Source,
  { write, batch }: Command,
  baseUrl: () => string,
): WriteResult {
  const target = { source, rows: source.rowsIn(view), baseUrl };
  if (write !== undefined) return performWrite(target, write);
  const { isAtomic, operations } = batch;
  const limits = new BatchLimits();
  const results = runOperations(operations, isAtomic, (operation): OperationResult => {
    if ('rejection' in operation) {
      const { status, message, ...options } = operation.rejection;
      throw new HttpError(status, message, options);
    }
    limits.countPatched(target, operation);
    const { status, record } = performWrite(target, operation);
    if (record === undefined) return { status, body: null };
    limits.countResponse(record);
    return { status, body: withPictureUrls(record, source.pictures, baseUrl) };
  });
  return { status: isAtomic ? 200 : 207, json: { results } };
}

/** All operations of a batch are done in one step, and have one response. */
class BatchLimits {
  #values = 0;
  #bytes = 0;

  /** Counts the values of the record that an operation patches. */
  countPatched({ rows }: Target, write: Write): void {
    const isPatch = write.kind === 'merge' || write.kind === 'patch';
    const record = isPatch ? rows.get(write.id) : undefined;
    if (record === undefined) return;
    this.#values += countValues(record, maxPatchedValues);
    if (this.#values <= maxPatchedValues) return;
    throw new BatchError(
      400,
      `The records that the batch patches hold more than ${maxPatchedValues} values together, so nothing was done. Send fewer operations at once.`,
    );
  }

  countResponse(record: DataRecord): void {
    this.#bytes += Buffer.byteLength(new Rendering(record).json);
    if (this.#bytes <= maxResponseBytes) return;
    throw new BatchError(
      400,
      `The response to the batch would be larger than ${maxResponseBytes} bytes, so nothing was done. Send fewer operations at once.`,
    );
  }
}
