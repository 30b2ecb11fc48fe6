/** Chooses a misbehaviour of the issuer, from the run, the parameter, the previous login, or the sandbox. */

import { gotParameter } from '#base/text/got-value.js';
import type { Request } from '#http/exchange.js';
import type { Form } from '#http/oauth/form.js';
import { invalidRequest } from '#http/oauth/oauth-error.js';
import type { Sandbox, Transaction } from '#state/state.js';
import type { StepParameters } from '../messages/issuer.js';
import type { Misbehaviour } from '../model/grants.js';
import { type KeptSettings, settingsIn, settingsOf } from '../model/issuer-settings.js';
import { isMisbehaviour, misbehaviourNames, misbehaviours } from './misbehaviours.js';

/** Returns the misbehaviour in the path or in the parameter `misbehave`. Throws 400 for an unknown name. */
export function requestedMisbehaviour({ params }: Request, form?: Form): Misbehaviour | undefined {
  const { run, misbehaviour = '' } = params as StepParameters;
  if (run !== undefined && isMisbehaviour(misbehaviour)) return { name: misbehaviour, run };
  const name = form?.get('misbehave');
  if (name === undefined) return undefined;
  if (!isMisbehaviour(name)) {
    const got = gotParameter('misbehave', name);
    throw invalidRequest(`misbehave must be one of ${misbehaviourNames.join(', ')}${got}.`);
  }
  if (!misbehaviours[name].isOfIssuer) return { name };
  throw invalidRequest(
    `${name} affects the whole issuer: set it with PUT /api/sandbox/oidc, or use a run of POST /oidc/test-plan/runs.`,
  );
}

/** `kept` is the misbehaviour stored with the code or the token. */
export async function misbehaviourAt(
  sandbox: Sandbox,
  requested: Misbehaviour | undefined,
  kept?: Misbehaviour,
): Promise<Misbehaviour | undefined> {
  return requested ?? kept ?? fromSettings(await settingsOf(sandbox));
}

export function misbehaviourIn(
  view: Transaction,
  requested: Misbehaviour | undefined,
  kept: Misbehaviour | undefined,
): Misbehaviour | undefined {
  return requested ?? kept ?? fromSettings(settingsIn(view));
}

function fromSettings({ misbehave }: KeptSettings): Misbehaviour | undefined {
  return misbehave === null ? undefined : { name: misbehave };
}
