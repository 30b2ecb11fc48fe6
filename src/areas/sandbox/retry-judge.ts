/** The judge of retries, for the page of verdicts. */

import { judgeAttempts } from '#faults/plan/judge-attempts.js';
import { logOf, readAttempts } from '#faults/plan/plans-in-state.js';
import { retryRules } from '#faults/plan/retry-rules.js';
import type { Judge } from '#kit/verdict/judge.js';

export const retryJudge: Judge = {
  name: 'retries',
  title: 'Retries',
  says: 'Requests that a fault plan failed, and what the client sent again.',
  guide: 'retry-like-a-professional',
  log: '/api/sandbox/faults/log',
  rules: retryRules,
  async read(sandbox) {
    const { verdicts = [] } = judgeAttempts(await readAttempts(sandbox));
    return { verdicts };
  },
  async clear(sandbox) {
    await logOf(sandbox).clear();
  },
};
