/** The newest run of the test plan, for the page of verdicts. */

import type { Judge } from '#kit/verdict/judge.js';
import { Issuer } from '../messages/issuer.js';
import { paths } from '../messages/paths.js';
import { misbehaviourNames } from './misbehaviours.js';
import { runs, stepVerdict } from './runs.js';

export const issuerJudge: Judge = {
  name: 'oidc',
  title: 'OpenID Connect',
  says: 'The newest run of the test plan: what the client accepts from an issuer that misbehaves.',
  guide: 'oidc-test-plan',
  rules: misbehaviourNames.map((name) => {
    const { rule, level, section, hint } = stepVerdict(name, {});
    return { rule, level, section, hint };
  }),
  plan: {
    path: paths.testPlan,
    urls: { Issuer: new Issuer(`${paths.runs}/{run}/{case}`).url },
  },
  async read(sandbox) {
    const all = await sandbox.entries(runs.space);
    const newest = all.findLast(([, run]) => run.isOfOther === undefined);
    if (newest === undefined) return { verdicts: [] };
    const [run, { steps }] = newest;
    return { run, verdicts: misbehaviourNames.map((name) => stepVerdict(name, steps[name] ?? {})) };
  },
};
