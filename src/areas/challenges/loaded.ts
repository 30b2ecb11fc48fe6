/** The part of the area that its first request loads. */

import type { Endpoint } from '#kit/endpoint.js';
import type { Services } from '#kit/services.js';
import {
  deleteProgress,
  hint,
  listChallenges,
  readChallenge,
  showProgress,
  start,
} from './endpoints.js';

export { challengeJudge } from './endpoints.js';
export { forClasses, observeExchange } from './progress.js';

export const endpoints = ({ runtime: { clock } }: Services): readonly Endpoint[] => [
  listChallenges,
  readChallenge,
  start(clock),
  hint,
  showProgress,
  deleteProgress,
];
