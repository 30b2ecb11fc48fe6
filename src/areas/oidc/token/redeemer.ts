/** A grant type: how the parameters of a request become tokens, in one step. */

import type { Form } from '../../../http/oauth/form.js';
import { OAuthError } from '../../../http/oauth/oauth-error.js';
import type { Transaction } from '../../../state/state.js';
import type { Client } from '../clients/client.js';
import type { Signing } from '../exchange.js';
import type { Misbehaviour } from '../misbehaviour/choose-misbehaviour.js';
import type { Confirmation, Grant } from './grants.js';
import type { FreshTexts, Issued } from './issue.js';

export interface TokenRequest extends Signing {
  readonly form: Form;
  readonly client: Client;
  readonly cnf: Confirmation | undefined;
  readonly requested: Misbehaviour | undefined;
}

/** An error is returned, not thrown, so that what was written before stays. */
type Redeem = (view: Transaction, fresh: FreshTexts) => Issued | OAuthError;

export type Redeemer = (request: TokenRequest) => Redeem | Promise<Redeem>;

export function invalidGrant(message: string): OAuthError {
  return new OAuthError('invalid_grant', message);
}

export function invalidTarget({ targets = [] }: Grant): OAuthError {
  const message = `The resource can be no more than was granted: ${targets.join(' ')}.`;
  return new OAuthError('invalid_target', message);
}
