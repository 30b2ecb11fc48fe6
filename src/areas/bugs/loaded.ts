/** The part of the area that its first request loads. */

import type { Endpoint } from '#kit/endpoint.js';
import type { Services } from '#kit/services.js';
import { getGroundTruth, giveUp, readBugs, switchOnBugs } from './endpoints.js';
import { reportBug } from './report-bug.js';

export { classHunts, huntsOf } from './class-hunts.js';
export { reportsJudge } from './report-judge.js';

export const endpoints = ({ sandboxes }: Services): readonly Endpoint[] => [
  ...[switchOnBugs, readBugs, reportBug(sandboxes), giveUp],
  getGroundTruth,
];
