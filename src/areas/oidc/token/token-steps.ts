/** Steps of the token endpoint that make the issuer misbehave: before tokens are issued, and after. */

import { jose } from '#http/credentials/jose.js';
import type { Reply } from '#http/exchange.js';
import type { Form } from '#http/oauth/form.js';
import type { Exchange } from '../exchange.js';
import type { TokenResponse } from '../misbehaviour/case.js';
import { misbehaviourAt, requestedMisbehaviour } from '../misbehaviour/choose-misbehaviour.js';
import { appliesTo, caseOf, changed } from '../misbehaviour/misbehaviours.js';
import { noteEvent } from '../misbehaviour/runs.js';
import type { Client } from '../model/client.js';
import type { Misbehaviour } from '../model/grants.js';
import type { Signing } from '../model/issuer-keys.js';
import { keyFor, type SigningAlgorithm } from '../model/key-ring.js';
import type { Issued } from './issue.js';

export async function beforeTokens(at: Exchange, form: Form) {
  const requested = requestedMisbehaviour(at.request, form);
  // The code is still unread, and may have been issued with another misbehaviour.
  const early = await misbehaviourAt(at.sandbox, requested);
  const isRefresh = form.get('grant_type') === 'refresh_token';
  await noteEvent(at, early, isRefresh ? 'refreshed' : 'redeemed');
  return { requested, early, failed: await failOnPurpose(at, early) };
}

export async function afterTokens(
  at: Exchange,
  early: Misbehaviour | undefined,
  { misbehaviour = early, nonce, isRefresh }: Issued,
  { idTokenAlg }: Client,
  response: TokenResponse,
): Promise<object> {
  const isKnown = misbehaviour?.name === early?.name;
  const failed = isKnown ? undefined : await failOnPurpose(at, misbehaviour);
  if (failed !== undefined) return failed;
  const all = await changed(misbehaviour, 'tokenResponse', response);
  const { id_token: idToken } = response;
  if (idToken === undefined || !appliesTo(misbehaviour, { nonce })) return all;
  await noteEvent(at, misbehaviour, isRefresh ? 'renewed' : 'granted');
  const names = isRefresh ? (['claims', 'renewedClaims'] as const) : (['claims'] as const);
  const token = { idToken, alg: idTokenAlg, names };
  return { ...all, id_token: await changeIdToken(at, misbehaviour, token) };
}

interface ChangedToken {
  readonly idToken: string;
  readonly alg: SigningAlgorithm;
  /** Effects that apply to it. */
  readonly names: readonly ('claims' | 'renewedClaims')[];
}

/** Signs a changed ID token, in the right way unless the misbehaviour has another. */
async function changeIdToken(
  { keys, sandbox }: Signing,
  misbehaviour: Misbehaviour | undefined,
  { idToken, alg, names }: ChangedToken,
): Promise<string> {
  const effects = caseOf(misbehaviour);
  const { sign } = effects;
  if (sign === undefined && names.every((name) => effects[name] === undefined)) return idToken;
  const { decodeJwt } = await jose();
  let claims = decodeJwt(idToken);
  for (const name of names) claims = await changed(misbehaviour, name, claims);
  if (sign === undefined) return keys.sign(sandbox, claims, { alg });
  return sign(claims, keyFor(alg, (await keys.ringOf(sandbox)).current));
}

/** Delays the response, or returns another one. */
async function failOnPurpose(
  { services, request, reply }: Exchange,
  misbehaviour: Misbehaviour | undefined,
): Promise<Reply | undefined> {
  const { delayMs, fail } = caseOf(misbehaviour);
  if (delayMs !== undefined) await services.held.hold(request, reply, delayMs).ended;
  return fail?.(reply);
}
