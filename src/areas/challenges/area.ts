/** Challenges: tasks that are solved by requests, with any client. */

import type { Area } from '#kit/area.js';
import { challengesToken } from '#kit/recording/challenges.js';
import { observerToken } from '#kit/recording/exchange-record.js';
import { judgeToken } from '#kit/verdict/judge.js';
import {
  challengeJudge,
  deleteProgress,
  hint,
  listChallenges,
  readChallenge,
  showProgress,
  start,
} from './endpoints.js';
import { forClasses, observeExchange } from './progress.js';

export const challengesArea: Area = {
  name: 'challenges',
  title: 'Challenges',
  guide: 'challenges',
  summary: 'Tasks in nine tracks that you solve by requests, with any client.',
  front: {
    group: 'learning',
    start: '/api/challenges',
    page: { path: '/challenges' },
    purposes: [
      {
        purpose: 'learn',
        title: 'Challenges',
        says: '108 tasks in nine tracks, solved by requests of any client.',
        line: 'curl -s {base}/api/challenges',
        links: [
          ['Solve', '/challenges'],
          ['Guide', '/guides/challenges'],
        ],
      },
    ],
    examples: () => [
      {
        title: 'Start a challenge in your sandbox',
        method: 'POST',
        path: '/api/challenges/http-head/start',
        headers: { 'X-Sandbox': 'my-suite' },
        response: { status: 200, has: '"started":true' },
      },
    ],
  },
  defaults: { isBeyondPlans: true },
  offers: [
    observerToken.of(() => observeExchange),
    challengesToken.of(() => forClasses),
    judgeToken.of(() => challengeJudge),
  ],
  endpoints: ({ runtime: { clock } }) => [
    listChallenges,
    readChallenge,
    start(clock),
    hint,
    showProgress,
    deleteProgress,
  ],
};
