/** The judge of reports of bugs, for the page of verdicts. */

import { advice } from '#kit/verdict/citations.js';
import { type Rule, recordObservations } from '#kit/verdict/findings.js';
import { judgeByFindings } from '#kit/verdict/findings-judge.js';
import type { Sandbox } from '#state/state.js';
import type { Judgement } from './judge/decide.js';
import { path } from './path.js';

const name = 'bug-reports';

const trueReports: Rule = {
  name: 'reports-are-true',
  level: 'advice',
  section: advice,
  right: 'Report only what differs from the documentation when the request is repeated.',
};

export const reportsJudge = judgeByFindings({
  name,
  title: 'Reports of bugs',
  says: 'Reports of bugs that are switched on in the sandbox.',
  guide: 'explore-and-report',
  log: path,
  rules: [trueReports],
});

/** Records a report that found a bug, or was wrong. */
export async function recordReport(
  { verdict, reason }: Judgement,
  sandbox: Sandbox,
  requestId: string,
): Promise<void> {
  if (verdict !== 'found' && verdict !== 'not a bug') return;
  const sent = verdict === 'found' ? {} : { sent: reason };
  await recordObservations(sandbox, name, requestId, [{ rule: trueReports, ...sent }]);
}
