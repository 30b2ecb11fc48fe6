/** What a grant type has to say: how the parameters of a request become tokens, in one step. */

import type { Form } from '../../../../http/credentials/oauth-form.js';
import type { Transaction } from '../../../../state/state.js';
import type { Client } from '../../clients/client.js';
import type { Conduct } from '../../misbehaviour/conduct.js';
import type { Confirmation } from '../grants.js';
import type { FreshTexts, Issued, Rejection } from '../redeem.js';
import type { Signing } from '../sign-tokens.js';

export type Redeem = (view: Transaction, fresh: FreshTexts) => Issued | Rejection;

export interface RedeemContext {
  readonly signing: Signing;
  /** What the client has proved with the request. */
  readonly cnf: Confirmation | undefined;
  /** How the issuer should behave. */
  readonly asked?: Conduct | undefined;
}

export type Redeemer = (
  form: Form,
  client: Client,
  context: RedeemContext,
) => Redeem | Promise<Redeem>;
