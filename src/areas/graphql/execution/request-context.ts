/** Context of one execution; created for each request. */

import type { Datasets } from '#data/records.js';
import type { DatasetOf, RowOf } from '#state/rows/datasets-of.js';
import { Table, WritableTable } from '#state/rows/table.js';
import type { Sandbox } from '#state/state.js';
import { limits, ResponseTooLargeError } from '../outcome/limits.js';

export interface RequestContext {
  readonly sandbox: Sandbox;
  readonly datasetOf: DatasetOf;
  /** Base URL of links in the response, without a slash at the end. */
  readonly baseUrl: () => string;
  /** Number of values in the response from introspection and from the lists read so far. */
  values: number;
  /** Set when the client no longer waits for the response: no further field must start. */
  isAbandoned: boolean;
  /** The value of a subscription's field, by its name, during the execution of an event. */
  readonly event: Readonly<Record<string, unknown>> | undefined;
}

/** Returns the rows of a dataset in the caller's sandbox. */
export function tableOf<Name extends keyof Datasets>(
  context: RequestContext,
  name: Name,
): Table<RowOf<Name>> {
  checkTime(context);
  return new Table(context.sandbox, context.datasetOf(name));
}

/** Changes the rows in one step. */
export async function changeTable<Name extends keyof Datasets, Result>(
  context: RequestContext,
  name: Name,
  change: (table: WritableTable<RowOf<Name>>) => Result,
): Promise<Result> {
  checkTime(context);
  const dataset = context.datasetOf(name);
  return context.sandbox.transact((view) => change(new WritableTable(view, dataset)));
}

function checkTime({ isAbandoned }: RequestContext): void {
  if (isAbandoned) throw new Error('The time limit was reached before this field began.');
}

/** Adds a list's values to the response; throws {@link ResponseTooLargeError} above the limit. */
export function countValues(context: RequestContext, rows: number, fieldsOfEach: number): void {
  context.values += rows * fieldsOfEach;
  if (context.values > limits.values) throw new ResponseTooLargeError('values');
}
