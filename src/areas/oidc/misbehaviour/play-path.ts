/** Where a run has an issuer for each misbehaviour: all paths of an issuer, below this one. */

import type { Request } from '../../../http/exchange.js';

export const runsPath = '/oidc/test-plan/runs';
export const playPath = `${runsPath}/:run/:misbehaviour`;

export interface PlayParameters {
  readonly run?: string;
  readonly misbehaviour?: string;
}

/** Empty outside a run. */
export function playPathOf({ params }: Request): string {
  const { run, misbehaviour } = params as PlayParameters;
  return run === undefined || misbehaviour === undefined
    ? ''
    : `${runsPath}/${run}/${misbehaviour}`;
}
