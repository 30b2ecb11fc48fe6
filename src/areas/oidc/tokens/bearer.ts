/** Bearer tokens at what the issuer protects: RFC 6750, with the metadata of RFC 9728 section 5.1. */

import type { FastifyRequest } from 'fastify';
import { quoted, unauthorized } from '../../../http/credentials/challenge.js';
import { parseAuthorization } from '../../../http/credentials/parse-authorization.js';
import { realm } from '../../../http/credentials/realm.js';
import { singleHeader } from '../../../server/header-values.js';
import { HttpError } from '../../../server/http-error.js';
import { oauthBody } from '../oauth-error.js';
import type { Signing } from '../token/sign-tokens.js';
import { type FoundAccess, findAccess } from './find-access.js';

const howTo = 'Send Authorization: Bearer followed by the access token.';

interface Demand {
  readonly scope: string;
  /** A token that came otherwise than in the header. */
  readonly token?: string | undefined;
  /** Where a client learns of the authorization server. */
  readonly metadata?: string;
}

/** The token of a request that has the scope. Throws the refusal with its challenge. */
export async function demandAccess(
  request: FastifyRequest,
  signing: Signing,
  demand: Demand,
): Promise<FoundAccess> {
  const { scope } = demand;
  const token = readToken(request, demand);
  const found = await findAccess(signing, token);
  if (typeof found === 'string') throw refused(401, 'invalid_token', found, demand);
  if (!found.record.scope.split(' ').includes(scope)) {
    throw refused(403, 'insufficient_scope', `The token lacks the scope ${scope}`, demand);
  }
  return found;
}

function readToken(request: FastifyRequest, demand: Demand): string {
  const header = singleHeader(request, 'authorization');
  if (header !== undefined && demand.token !== undefined) {
    const message = 'The token comes twice, in the header and in the form. Send it once';
    throw refused(400, 'invalid_request', message, demand);
  }
  if (demand.token !== undefined) return demand.token;
  if (header === undefined) {
    throw unauthorized(`There is no Authorization header. ${howTo}`, challenge(demand));
  }
  const { scheme, credentials } = parseAuthorization(header);
  if (scheme !== 'bearer' || credentials === '') {
    throw unauthorized(
      `The Authorization header holds no bearer token. ${howTo}`,
      challenge(demand),
    );
  }
  return credentials;
}

function refused(status: number, code: string, reason: string, demand: Demand): HttpError {
  const value = `${challenge(demand)}, error=${quoted(code)}, error_description=${quoted(reason)}${
    status === 403 ? `, scope=${quoted(demand.scope)}` : ''
  }`;
  return new HttpError(status, `${reason}.`, {
    headers: { 'www-authenticate': value },
    ...(status === 400 && { body: oauthBody(code, `${reason}.`) }),
  });
}

function challenge({ metadata }: Demand): string {
  const base = `Bearer realm=${quoted(realm)}`;
  return metadata === undefined ? base : `${base}, resource_metadata=${quoted(metadata)}`;
}
