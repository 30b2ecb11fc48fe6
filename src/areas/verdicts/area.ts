/** Shows in one place what all judges of clients have observed in a sandbox. */

import type { Area } from '#kit/area.js';
import { judgeToken } from '#kit/verdict/judge.js';
import { pagePath, path } from './paths.js';

const headers = { 'X-Sandbox': 'my-suite' };

export const verdictsArea: Area = {
  name: 'verdicts',
  title: 'Verdicts',
  guide: 'verdicts',
  summary: 'What every judge has observed of your client, rule by rule, and a line for CI.',
  front: {
    group: 'failures',
    start: pagePath,
    page: { path: pagePath },
    purposes: [
      {
        purpose: 'test',
        title: 'Verdicts',
        says: 'What all judges have seen of your client, rule by rule. The line fails in CI if a rule is broken.',
        line: "curl -sS --fail-with-body '{base}/api/sandbox/verdicts?fail=broken'",
        links: [
          ['Verdicts', pagePath],
          ['Guide', '/guides/verdicts'],
        ],
      },
    ],
    examples: () => [
      {
        title: 'See what all judges have observed in your sandbox',
        method: 'GET',
        path,
        headers,
        response: { status: 200, has: '"judges"' },
      },
    ],
  },
  defaults: { isBeyondPlans: true },
  needs: [judgeToken],
  isLate: true,
  async endpoints(_services, offered) {
    const { clearVerdicts, describeJudges, readVerdicts } = await import('./loaded.js');
    const judges = await Promise.all(offered.all(judgeToken));
    return [describeJudges(judges), readVerdicts(judges), clearVerdicts(judges)];
  },
};
