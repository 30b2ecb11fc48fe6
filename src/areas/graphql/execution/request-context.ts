/** What one execution may look at and change; made anew for each request. */

import { type Datasets, declarations } from '../../../data/records.js';
import { Dataset } from '../../../state/rows/dataset.js';
import { Table, WritableTable } from '../../../state/rows/table.js';
import type { Sandbox } from '../../../state/state.js';
import { type LimitName, limits } from '../request/limits.js';

export interface RequestContext {
  readonly sandbox: Sandbox;
  readonly datasetOf: DatasetOf;
  /** Where addresses in the response begin, without a slash at the end. */
  readonly baseUrl: () => string;
  /** How many values the introspection and the lists read so far will put into the response. */
  values: number;
  /** Set when nobody waits for the response any more: what has not begun must not begin. */
  isAbandoned: boolean;
  /** The value of a subscription's field, by its name, while that is executed for an event. */
  readonly event: Readonly<Record<string, unknown>> | undefined;
}

/** Thrown for a response that would be too large; it rejects the request as a whole. */
export class ResponseTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
  readonly limit: LimitName & ('values' | 'answerBytes');

  constructor(limit: ResponseTooLargeError['limit']) {
    super(`The response is beyond the limit of ${limit}.`);
    this.limit = limit;
  }
}

type RowOf<Name extends keyof Datasets> = Datasets[Name][number];

/** Returns the rows of a dataset as the caller's sandbox has them. */
export function tableOf<Name extends keyof Datasets>(
  context: RequestContext,
  name: Name,
): Table<RowOf<Name>> {
  checkTime(context);
  return new Table(context.sandbox, context.datasetOf(name));
}

/** Changes them as one step. */
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
  if (isAbandoned) throw new Error('The time was up before this field began.');
}

export type DatasetOf = <Name extends keyof Datasets>(name: Name) => Dataset<RowOf<Name>>;

/** Each is made once, since what a sandbox keeps of a dataset is looked up by it. */
export function datasetsOf(datasets: Datasets): DatasetOf {
  const made = new Map<string, unknown>();
  return <Name extends keyof Datasets>(name: Name) => {
    if (!made.has(name)) {
      const { keepsTrash } = declarations[name];
      made.set(name, new Dataset<RowOf<Name>>({ name, rows: datasets[name], keepsTrash }));
    }
    return made.get(name) as Dataset<RowOf<Name>>;
  };
}

/** Adds a list's share to what the response will hold; throws {@link ResponseTooLargeError} beyond it. */
export function countValues(context: RequestContext, rows: number, fieldsOfEach: number): void {
  context.values += rows * fieldsOfEach;
  if (context.values > limits.values) throw new ResponseTooLargeError('values');
}
