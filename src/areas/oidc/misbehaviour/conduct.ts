/** How the issuer behaves towards a request: as its run, its parameter, what came before, or its sandbox says. */

import { gotParameter } from '../../../base/text/got-value.js';
import type { Form } from '../../../http/credentials/oauth-form.js';
import type { Request } from '../../../http/exchange.js';
import type { Sandbox, Transaction } from '../../../state/state.js';
import { oauthError } from '../oauth-error.js';
import { type KeptSettings, settingsIn, settingsOf } from '../settings/issuer-settings.js';
import {
  isMisbehaviour,
  type MisbehaviourName,
  misbehaviourNames,
  misbehaviourOf,
} from './misbehaviours.js';
import type { PlayParameters } from './play-path.js';

export interface Conduct {
  readonly misbehaviour: MisbehaviourName;
  /** The run that watches the client. */
  readonly run?: string;
}

/** What the path or the parameter `misbehave` asks for. Throws 400 for what there is not. */
export function askedConduct({ params }: Request, form?: Form): Conduct | undefined {
  const { run, misbehaviour = '' } = params as PlayParameters;
  if (run !== undefined && isMisbehaviour(misbehaviour)) return { misbehaviour, run };
  const asked = form?.get('misbehave');
  if (asked === undefined) return undefined;
  if (!isMisbehaviour(asked)) {
    const known = misbehaviourNames.join(', ');
    throw oauthError(
      'invalid_request',
      `misbehave must be one of ${known}${gotParameter('misbehave', asked)}.`,
    );
  }
  if (misbehaviourOf(asked).isOfIssuer) {
    throw oauthError(
      'invalid_request',
      `${asked} is a matter of the whole issuer: set it by PUT /api/sandbox/oidc, or use a run of POST /oidc/test-plan/runs.`,
    );
  }
  return { misbehaviour: asked };
}

/** `kept` is what the code or the token was given with. */
export async function conductOf(
  sandbox: Sandbox,
  asked: Conduct | undefined,
  kept?: Conduct,
): Promise<Conduct | undefined> {
  if (asked !== undefined || kept !== undefined) return asked ?? kept;
  return fromSettings(await settingsOf(sandbox));
}

/** The same within a transaction. */
export function conductIn(
  view: Transaction,
  asked: Conduct | undefined,
  kept: Conduct | undefined,
): Conduct | undefined {
  return asked ?? kept ?? fromSettings(settingsIn(view));
}

function fromSettings({ misbehave }: Pick<KeptSettings, 'misbehave'>): Conduct | undefined {
  return misbehave === null ? undefined : { misbehaviour: misbehave };
}
