/** Lets areas with protected resources steer the issuer. */

import type { IssuerSteering } from '#kit/offers/issuer.js';
import { beginTestRun } from '#kit/verdict/test-runs.js';
import { Issuer } from '../messages/issuer.js';
import { paths } from '../messages/paths.js';
import { setMisbehaviour } from '../model/issuer-settings.js';
import { isMisbehaviour } from './misbehaviours.js';
import { outcomeOf, runs } from './runs.js';

export const issuerSteering: Omit<IssuerSteering, 'verify' | 'loginOf'> = {
  async misbehave(sandbox, name) {
    await setMisbehaviour(sandbox, isMisbehaviour(name ?? '') ? name : null);
  },
  beginRun: (sandbox) => beginTestRun(runs, sandbox, { isOfOther: true }),
  issuerAt(baseUrl, run, name) {
    return new Issuer(run === undefined ? baseUrl : `${baseUrl}${paths.runs}/${run}/${name}`).url;
  },
  async outcomeOf(sandbox, id, name) {
    const run = await sandbox.read(runs.space, id);
    return isMisbehaviour(name) ? outcomeOf(run?.steps[name] ?? {}) : 'not-reached';
  },
};
