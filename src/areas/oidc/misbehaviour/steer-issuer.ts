/** Lets areas with protected resources steer the issuer. */

import type { IssuerSteering } from '../../../kit/offers/issuer.js';
import { Issuer, paths } from '../messages/issuer.js';
import { setMisbehaviour } from '../model/issuer-settings.js';
import { isMisbehaviour } from './misbehaviours.js';
import { beginRun, outcomeOf, runs } from './runs.js';

export const issuerSteering: Omit<IssuerSteering, 'verify' | 'loginOf'> = {
  async misbehave(sandbox, name) {
    await setMisbehaviour(sandbox, isMisbehaviour(name ?? '') ? name : null);
  },
  beginRun,
  issuerAt(baseUrl, run, name) {
    return new Issuer(run === undefined ? baseUrl : `${baseUrl}${paths.runs}/${run}/${name}`).url;
  },
  async outcomeOf(sandbox, id, name) {
    const run = await sandbox.read(runs, id);
    return isMisbehaviour(name) ? outcomeOf(run?.steps[name] ?? {}) : 'not-reached';
  },
};
