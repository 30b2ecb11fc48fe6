/** Sandboxes: private copies of all data and state, with reset, clock and faults. */

import type { Area } from '#kit/area.js';
import { planFaultsToken } from '#kit/offers/steering.js';
import { judgeToken } from '#kit/verdict/judge.js';
import { sandboxCollection } from './collection.js';
import { path } from './path.js';

const loaded = () => import('./loaded.js');

const headers = { 'X-Sandbox': 'my-suite' };

export const sandboxArea: Area = {
  name: 'sandbox',
  title: 'Sandboxes',
  guide: 'sandboxes',
  summary:
    'A private copy of all data and state, selected with the header X-Sandbox or the path /s/{sandbox}, with its own clock and faults.',
  front: {
    group: 'failures',
    start: path,
    purposes: [
      {
        purpose: 'test',
        title: 'Retries',
        says: 'Fault plans: requests that fail for a while, and a report on the retries.',
        line: `curl -s -X PUT {base}/api/sandbox/faults -H 'Content-Type: application/json' -d '{"rules":[{"sequence":[{"status":503}]}]}'`,
        links: [
          ['Test plan', '/verdicts#retries'],
          ['Guide', '/guides/faults'],
          ['Retry well', '/guides/retry-like-a-professional'],
        ],
      },
    ],
    examples: () => [
      {
        title: 'Move the clock of your sandbox an hour ahead',
        method: 'PUT',
        path: '/api/sandbox/clock',
        headers,
        json: { offsetSeconds: 3600 },
        response: { status: 200, has: '"offsetSeconds":3600' },
      },
      {
        title: 'Reset the sandbox',
        method: 'DELETE',
        path,
        headers,
        response: { status: 204, has: '' },
      },
      {
        title: 'Make any endpoint fail',
        method: 'GET',
        path: '/api/Books/1?error=503',
        response: { status: 503, headers: ['X-Simulated'], has: 'true' },
      },
    ],
  },
  defaults: { isBeyondPlans: true },
  postman: [sandboxCollection],
  offers: [
    planFaultsToken.of(async ({ runtime }) => (await loaded()).faultPlanner(runtime)),
    judgeToken.of(async () => (await loaded()).retryJudge),
  ],
  isLate: true,
  endpoints: async (services) => (await loaded()).endpoints(services),
};
