/** Explore and report: documented defects that can be switched on in a sandbox. */

import type { Area } from '#kit/area.js';
import { classHuntsToken, huntsOfToken } from '#kit/offers/hunts-of.js';
import { judgeToken } from '#kit/verdict/judge.js';
import { path } from './path.js';

const loaded = () => import('./loaded.js');

/** Only these requests meet bugs. */
const ownSandbox = { headers: { 'X-Sandbox': '{{sandbox}}-bugs' } };
const operations = ['putSandboxBugs', 'getSandboxBugs', 'postSandboxBugsReports'];

const headers = { 'X-Sandbox': 'my-suite' };

export const bugsArea: Area = {
  name: 'bugs',
  title: 'Bugs to find',
  guide: 'explore-and-report',
  summary:
    'Documented bugs that you switch on in your sandbox, find, and report. The service judges each report.',
  front: {
    group: 'learning',
    start: path,
    page: { path: '/explore' },
    purposes: [
      {
        purpose: 'learn',
        title: 'Bugs to find',
        says: 'Bugs that you switch on in your sandbox, find and report.',
        links: [
          ['Explore', '/explore'],
          ['Guide', '/guides/explore-and-report'],
        ],
      },
    ],
    examples: () => [
      {
        title: 'Switch on five bugs in your sandbox',
        method: 'PUT',
        path,
        headers,
        json: { level: 'junior', count: 5, seed: 7 },
        response: { status: 200, has: '"left":5' },
      },
    ],
  },
  defaults: { isBeyondPlans: true },
  postman: [
    {
      adaptations: {
        ...Object.fromEntries(operations.map((name) => [name, ownSandbox])),
        // While bugs are switched on.
        getBugsGroundTruth: { otherwise: [409] },
      },
      leftOut: { deleteSandboxBugs: 'Would switch the bugs off before the report.' },
    },
  ],
  offers: [
    huntsOfToken.of(async () => (await loaded()).huntsOf),
    classHuntsToken.of(async () => (await loaded()).classHunts),
    judgeToken.of(async () => (await loaded()).reportsJudge),
  ],
  isLate: true,
  endpoints: async (services) => (await loaded()).endpoints(services),
};
