/** Challenges: tasks that are solved by requests, with any client. */

import type { Area } from '#kit/area.js';
import { challengesToken } from '#kit/recording/challenges.js';
import { observerToken } from '#kit/recording/exchange-record.js';
import { judgeToken } from '#kit/verdict/judge.js';

const loaded = () => import('./loaded.js');

export const challengesArea: Area = {
  name: 'challenges',
  title: 'Challenges',
  guide: 'challenges',
  summary: 'Tasks in eleven tracks that you solve by requests, with any client.',
  front: {
    group: 'learning',
    start: '/api/challenges',
    page: { path: '/challenges' },
    purposes: [
      {
        purpose: 'learn',
        title: 'Challenges',
        says: '129 tasks in eleven tracks, solved by requests of any client.',
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
    observerToken.of(() => async (sandbox, exchange) => {
      const { observeExchange } = await loaded();
      await observeExchange(sandbox, exchange);
    }),
    challengesToken.of(async () => (await loaded()).forClasses),
    judgeToken.of(async () => (await loaded()).challengeJudge),
  ],
  isLate: true,
  endpoints: async (services) => (await loaded()).endpoints(services),
};
