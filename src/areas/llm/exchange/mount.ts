/** Base URLs of the endpoints of a provider: at the usual base URL, or in a case of a run. */

import type { Request } from '../../../http/exchange.js';
import type { Provider } from './provider.js';

export const root = '/llm';
export const planPath = '/llm/test-plan';
export const runsPath = `${planPath}/runs`;

export interface Mount {
  readonly provider: Provider;
  /** Path of the base URL, such as `/llm/openai/v1`. */
  readonly path: string;
  readonly isOfRun: boolean;
}

export interface RunCase {
  readonly run: string;
  readonly name: string;
}

/** Returns the case of the run that the URL has; `undefined` at the usual base URL. */
export function runCaseOf({ params }: Pick<Request, 'params'>): RunCase | undefined {
  const { run, name } = (params ?? {}) as { run?: string; name?: string };
  return run === undefined || name === undefined ? undefined : { run, name };
}
