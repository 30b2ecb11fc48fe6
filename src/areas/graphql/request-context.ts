/** What one execution may look at and change; made anew for each request. */

import { type Datasets, declarations } from '../../data/records.js';
import { type Collection, collection, type Dataset } from '../../state/rows/collection.js';
import type { Sandbox } from '../../state/state.js';
import { type LimitName, limits } from './limits.js';

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
  event?: Readonly<Record<string, unknown>>;
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

/** Thrown in place of beginning something after the time was up. */
export class AbandonedError extends Error {
  override readonly name = 'AbandonedError';
}

/** The rows of a dataset as the caller's sandbox has them. */
export function rowsOf<Name extends keyof Datasets>(
  { sandbox, datasetOf, isAbandoned }: RequestContext,
  name: Name,
): Collection<Datasets[Name][number]> {
  if (isAbandoned) throw new AbandonedError('The time was up before this field began.');
  return collection(sandbox, datasetOf(name));
}

export type DatasetOf = <Name extends keyof Datasets>(
  name: Name,
) => Dataset<Datasets[Name][number]>;

/** Each is made once, since what a sandbox keeps of a dataset is looked up by it. */
export function datasetsOf(datasets: Datasets): DatasetOf {
  const known = new Map<keyof Datasets, unknown>();
  return <Name extends keyof Datasets>(name: Name) => {
    type Of = Dataset<Datasets[Name][number]>;
    const made = known.get(name) as Of | undefined;
    if (made !== undefined) return made;
    const rows: readonly Datasets[Name][number][] = datasets[name];
    const dataset: Of = { name, rows, ...(declarations[name].keepsTrash && { keepsTrash: true }) };
    known.set(name, dataset);
    return dataset;
  };
}

/** Adds a list's share to what the response will hold; throws {@link ResponseTooLargeError} beyond it. */
export function countValues(context: RequestContext, rows: number, fieldsOfEach: number): void {
  context.values += rows * fieldsOfEach;
  if (context.values > limits.values) throw new ResponseTooLargeError('values');
}
