/** What a request is to do, as a value that survives JSON: it can be done at once, or as a job. */

import { HttpError, type HttpErrorOptions } from '../../../http/http-error.js';
import { countValues } from '../../../http/json/count-values.js';
import type { RowsInTransaction } from '../../../state/rows/collection.js';
import type { Transaction } from '../../../state/state.js';
import type { Resource } from '../built-in/resource.js';
import { maxResponseBytes } from '../formats/send-records.js';
import { shownRecord } from '../formats/send-result.js';
import type { ResourceRecord } from '../source/record-fields.js';
import { storedJson } from '../source/render-record.js';
import { BatchError, type OperationResult, runOperations } from './batch.js';
import { maxPatchedValues, performWrite } from './perform-write.js';
import type { Write, WriteResult } from './write.js';

/** What is wrong with one of several, found before any is done. */
export interface Rejection extends HttpErrorOptions {
  readonly status: number;
  readonly message: string;
}

export interface BatchCommand {
  readonly isAtomic: boolean;
  readonly operations: readonly (Write | { readonly refusal: Rejection })[];
}

/** Either a write or several. */
export type Command =
  | { readonly write: Write; readonly batch?: undefined }
  | { readonly batch: BatchCommand; readonly write?: undefined };

/** `baseUrl` is where the addresses of pictures begin that are of this service. */
export function performCommand(
  view: Transaction,
  resource: Resource,
  command: Command,
  baseUrl: () => string,
): WriteResult {
  const rows = resource.rowsIn(view);
  if (command.batch === undefined) return performWrite(resource, rows, command.write, baseUrl);
  const { isAtomic, operations } = command.batch;
  const weigh = responseScales();
  const count = recordCounter(rows);
  const results = runOperations(operations, isAtomic, (operation): OperationResult => {
    if ('refusal' in operation) throw rejected(operation.refusal);
    count(operation);
    const { status, record } = performWrite(resource, rows, operation, baseUrl);
    if (record === undefined) return { status, body: null };
    weigh(record);
    return { status, body: shownRecord(resource, record, baseUrl) };
  });
  return { status: isAtomic ? 200 : 207, json: { results } };
}

/** Weighs records as they come, since a hundred small operations can lead to as many large responses. */
function responseScales(): (record: ResourceRecord) => void {
  let bytes = 0;
  return (record) => {
    bytes += Buffer.byteLength(storedJson(record));
    if (bytes <= maxResponseBytes) return;
    throw new BatchError(
      400,
      `The response to the batch would be larger than ${maxResponseBytes} bytes, so nothing was done. Send fewer operations at once.`,
    );
  };
}

/** Counts the values of the records that operations patch, since all of them are done in one step. */
function recordCounter(rows: RowsInTransaction<ResourceRecord>): (write: Write) => void {
  let values = 0;
  return (write) => {
    const isPatch = write.kind === 'merge' || write.kind === 'patch';
    const record = isPatch ? rows.get(write.id) : undefined;
    if (record === undefined) return;
    values += countValues(record, maxPatchedValues);
    if (values <= maxPatchedValues) return;
    throw new BatchError(
      400,
      `The records that the batch patches hold more than ${maxPatchedValues} values together, so nothing was done. Send fewer operations at once.`,
    );
  };
}

function rejected({ status, message, ...options }: Rejection): HttpError {
  return new HttpError(status, message, options);
}
