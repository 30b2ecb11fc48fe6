/** Intended failures of the token endpoint: a step before tokens are issued, and a step after. */

import type { Reply } from '../../../http/exchange.js';
import { HttpError } from '../../../http/http-error.js';
import type { Form } from '../../../http/oauth/form.js';
import { noStore, oauthBody } from '../../../http/oauth/oauth-error.js';
import type { Client } from '../model/clients/client.js';
import type { Exchange } from '../exchange.js';
import type { Issued } from './issue.js';
import { type Misbehaviour, misbehaviourAt, requestedMisbehaviour } from '../misbehaviour/choose-misbehaviour.js';
import type { MisbehaviourName } from '../misbehaviour/misbehaviours.js';
import { noteEvent } from '../misbehaviour/runs.js';
import { canBeWrong, wrongIdToken } from '../misbehaviour/wrong-id-token.js';
import { wrongTokenResponse } from '../misbehaviour/wrong-responses.js';

export async function beforeTokens(at: Exchange, form: Form) {
  const requested = requestedMisbehaviour(at.request, form);
  // The code is still unread, and may have been issued with another misbehaviour.
  const early = await misbehaviourAt(at.sandbox, requested);
  const isRefresh = form.get('grant_type') === 'refresh_token';
  await noteEvent(at, early, isRefresh ? 'refreshed' : 'redeemed');
  return { requested, early, failed: await failOnPurpose(at, early?.name) };
}

export async function afterTokens(
  at: Exchange,
  early: Misbehaviour | undefined,
  { misbehaviour = early, nonce }: Issued,
  { idTokenAlg }: Client,
  response: Parameters<typeof wrongTokenResponse>[1],
): Promise<object> {
  if (misbehaviour === undefined) return response;
  const { name } = misbehaviour;
  const failed = name === early?.name ? undefined : await failOnPurpose(at, name);
  if (failed !== undefined) return failed;
  const all = wrongTokenResponse(name, response);
  const { id_token: idToken } = response;
  if (idToken === undefined) return all;
  if (canBeWrong(name, nonce)) await noteEvent(at, misbehaviour, 'granted');
  return { ...all, id_token: await wrongIdToken(at, idToken, idTokenAlg, name) };
}

const slowMs = 2000;

const page = `<!doctype html>
<html lang="en"><head><title>502 Bad Gateway</title></head>
<body><h1>502 Bad Gateway</h1><p>The server behind this one did not respond.</p></body></html>
`;

/** Delays the response, or returns an HTML page as the response. */
async function failOnPurpose(at: Exchange, name?: MisbehaviourName): Promise<Reply | undefined> {
  const { services, request, reply } = at;
  switch (name) {
    case 'slow':
      await services.held.hold(request, reply, slowMs).ended;
      return undefined;
    case 'failing': {
      const message = 'Simulated failure: the issuer misbehaves as failing.';
      throw new HttpError(503, message, {
        headers: { ...noStore, 'retry-after': '1' },
        body: oauthBody('temporarily_unavailable', message),
      });
    }
    case 'html-errors':
      return reply.code(502).type('text/html; charset=utf-8').serializer(String).send(page);
    default:
      return undefined;
  }
}
