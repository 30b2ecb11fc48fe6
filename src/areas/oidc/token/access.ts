/** Access tokens at protected resources: RFC 6750, RFC 9449 section 7, with the metadata of RFC 9728 section 5.1. */

import type { errors } from 'jose';
import { quoted, realm, unauthorized } from '#http/credentials/challenge.js';
import { parseAuthorization } from '#http/credentials/parse-authorization.js';
import { keyOf } from '#http/credentials/secret-text.js';
import { singleHeader } from '#http/headers/header-values.js';
import { HttpError } from '#http/http-error.js';
import { oauthBody } from '#http/oauth/oauth-error.js';
import { challenge as headers } from '#http/schemas/header-schemas.js';
import { certificateThumbprint } from '../clients/client-certificate.js';
import { proofAlgorithms, provedKey, RejectedProof } from '../clients/dpop.js';
import type { Exchange } from '../exchange.js';
import type { paths } from '../messages/paths.js';
import { nonce } from '../messages/schemas.js';
import { type AccessRecord, accessTokens, type Grant, grants } from '../model/grants.js';
import type { Signing } from '../model/issuer-keys.js';

export const bearerHeaders = { 200: nonce, 401: { ...headers, ...nonce }, 403: headers };

const howTo = 'Send Authorization: Bearer followed by the access token, or DPoP with a proof.';

interface Demand {
  readonly scope: string;
  readonly path: keyof typeof paths;
  readonly token?: string | undefined;
  /** The URL that leads a client to the authorization server. */
  readonly metadata?: string;
}

const schemes = ['Bearer', 'DPoP'] as const;
type Scheme = (typeof schemes)[number];

/** Returns the token of a request, if it has the scope. Throws an error with its challenge. */
export async function demandAccess(at: Exchange, demand: Demand): Promise<FoundAccess> {
  const { scope, path } = demand;
  const { scheme, token } = readToken(at, demand);
  const found = await findAccess(at, token);
  if (typeof found === 'string') throw rejected(demand, scheme, found);
  const { targets, cnf = {} } = found.record;
  const thumbprint = cnf['x5t#S256'];
  if (thumbprint !== undefined && thumbprint !== certificateThumbprint(at.request)) {
    const reason =
      'The token is bound to a certificate: send it over a connection with that certificate';
    throw rejected(demand, scheme, reason);
  }
  await checkKey(at, demand, scheme, token, cnf.jkt);
  const here = [at.issuer.resource, at.issuer.at(path)];
  // Userinfo belongs to the issuer, not to the resource.
  if (path !== 'userinfo' && targets?.some((each) => here.includes(each)) === false) {
    throw rejected(demand, scheme, `The token is only for ${targets.join(' and ')}`);
  }
  if (found.record.scope.split(' ').includes(scope)) return found;
  const reason = `The token lacks the scope ${scope}`;
  throw rejected(demand, scheme, reason, 'insufficient_scope', 403);
}

/** RFC 9449 sections 7.1 and 7.2. */
async function checkKey(
  at: Exchange,
  demand: Demand,
  scheme: Scheme,
  token: string,
  jkt: string | undefined,
): Promise<void> {
  if (scheme === 'Bearer') {
    if (jkt === undefined) return;
    throw rejected(demand, 'DPoP', 'The token is bound to a key: send it as DPoP, with a proof');
  }
  const proved = await readProof(at, demand, token);
  if (jkt === proved.jkt) return;
  const other = jkt === undefined ? 'no key: send it as Bearer' : "another key than the proof's";
  throw rejected(demand, scheme, `The token is bound to ${other}`);
}

async function readProof(at: Exchange, demand: Demand, token: string) {
  try {
    const proved = await provedKey(at, demand.path, token);
    if (proved !== undefined) return proved;
  } catch (error) {
    if (!(error instanceof RejectedProof)) throw error;
    throw rejected(demand, 'DPoP', error.reason, error.code);
  }
  throw rejected(demand, 'DPoP', 'There is no DPoP header', 'invalid_dpop_proof');
}

function readToken({ request }: Exchange, demand: Demand): { scheme: Scheme; token: string } {
  const header = singleHeader(request, 'authorization');
  if (header !== undefined && demand.token !== undefined) {
    const reason = 'The token occurs twice, in the header and in the form. Send it once';
    throw rejected(demand, 'Bearer', reason, 'invalid_request', 400);
  }
  if (demand.token !== undefined) return { scheme: 'Bearer', token: demand.token };
  const both = schemes.map((scheme) => challenge(demand, scheme));
  if (header === undefined)
    throw unauthorized(`The Authorization header is missing. ${howTo}`, both);
  const { scheme, credentials: token } = parseAuthorization(header);
  const known = schemes.find((each) => each.toLowerCase() === scheme);
  if (known !== undefined && token !== '') return { scheme: known, token };
  throw unauthorized(`The Authorization header has no access token. ${howTo}`, both);
}

function rejected(
  demand: Demand,
  scheme: Scheme,
  reason: string,
  code = 'invalid_token',
  status = 401,
): HttpError {
  const about = `error=${quoted(code)}, error_description=${quoted(reason)}`;
  const scope = status === 403 ? `, scope=${quoted(demand.scope)}` : '';
  return new HttpError(status, `${reason}.`, {
    headers: { 'www-authenticate': `${challenge(demand, scheme)}, ${about}${scope}` },
    ...(status === 400 && { body: oauthBody(code, `${reason}.`) }),
  });
}

function challenge({ metadata }: Demand, scheme: Scheme): string {
  const base = `${scheme} realm=${quoted(realm)}`;
  const algs = scheme === 'DPoP' ? `, algs=${quoted(proofAlgorithms.join(' '))}` : '';
  return `${base}${algs}${metadata === undefined ? '' : `, resource_metadata=${quoted(metadata)}`}`;
}

export interface FoundAccess {
  readonly record: AccessRecord;
  readonly grant: Grant;
  readonly key: string;
}

/** Returns the token, or why it is invalid, as a sentence without the full stop. */
export async function findAccess(signing: Signing, token: string): Promise<FoundAccess | string> {
  const { sandbox } = signing;
  const id = token.includes('.') ? await idOfJwt(signing, token) : { jti: token };
  if (typeof id === 'string') return id;
  const key = keyOf(String(id.jti));
  const record = await sandbox.read(accessTokens, key);
  if (record === undefined) {
    return 'The token was not issued recently by this issuer, has expired, or was revoked';
  }
  const grant = await sandbox.read(grants, record.grantId);
  return grant === undefined ? 'The token was revoked' : { record, grant, key };
}

async function idOfJwt({ keys, sandbox, issuer }: Signing, token: string) {
  const claims = await keys.verify(sandbox, token, {
    issuer: issuer.url,
    typ: 'at+jwt',
    requiredClaims: ['jti', 'exp'],
  });
  if (!(claims instanceof Error)) return claims;
  if (claims.code !== 'ERR_JWT_EXPIRED') return `The token is invalid: ${claims.message}`;
  const { exp = 0 } = (claims as errors.JWTExpired).payload;
  return `The token expired at '${new Date(exp * 1000).toISOString()}'`;
}
