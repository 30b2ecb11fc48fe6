/** Access tokens at what the issuer protects: RFC 6750, RFC 9449 section 7, with the metadata of RFC 9728 section 5.1. */

import { quoted, unauthorized } from '../../../http/credentials/challenge.js';
import { parseAuthorization } from '../../../http/credentials/parse-authorization.js';
import { realm } from '../../../http/credentials/realm.js';
import type { Reply, Request } from '../../../http/exchange.js';
import { singleHeader } from '../../../http/header-values.js';
import { HttpError } from '../../../http/http-error.js';
import { certificateThumbprint } from '../clients/client-certificate.js';
import { type Proofs, RejectedProof } from '../dpop/proofs.js';
import { proofAlgorithms } from '../dpop/read-proof.js';
import type { paths } from '../issuer.js';
import { oauthBody } from '../oauth-error.js';
import type { Signing } from '../token/sign-tokens.js';
import { type FoundAccess, findAccess } from './find-access.js';

const howTo = 'Send Authorization: Bearer followed by the access token, or DPoP with a proof.';

interface Demand {
  readonly scope: string;
  /** What the request is sent to. */
  readonly at: keyof typeof paths;
  readonly proofs: Proofs;
  /** A token that came otherwise than in the header. */
  readonly token?: string | undefined;
  /** Where a client learns of the authorization server. */
  readonly metadata?: string;
}

const schemes = ['Bearer', 'DPoP'] as const;
type Scheme = (typeof schemes)[number];

interface Presented {
  readonly scheme: Scheme;
  readonly token: string;
}

/** The token of a request that has the scope. Throws the rejection with its challenge. */
export async function demandAccess(
  request: Request,
  reply: Reply,
  signing: Signing,
  demand: Demand,
): Promise<FoundAccess> {
  const { scope } = demand;
  const presented = readToken(request, demand);
  const { scheme, token } = presented;
  const found = await findAccess(signing, token);
  if (typeof found === 'string') throw rejected(401, 'invalid_token', found, demand, scheme);
  await checkBinding(request, reply, signing, demand, presented, found);
  const { targets } = found.record;
  const here = [signing.issuer.resource, signing.issuer.at(demand.at)];
  // Userinfo is the issuer's own, and no part of the resource.
  if (demand.at !== 'userinfo' && targets?.some((each) => here.includes(each)) === false) {
    const reason = `The token is for ${targets.join(' and ')} alone`;
    throw rejected(401, 'invalid_token', reason, demand, scheme);
  }
  if (!found.record.scope.split(' ').includes(scope)) {
    throw rejected(403, 'insufficient_scope', `The token lacks the scope ${scope}`, demand, scheme);
  }
  return found;
}

/** RFC 9449 sections 7.1 and 7.2, RFC 8705 section 3. */
async function checkBinding(
  request: Request,
  reply: Reply,
  { sandbox, issuer }: Signing,
  demand: Demand,
  { scheme, token }: Presented,
  { record: { cnf } }: FoundAccess,
): Promise<void> {
  const thumbprint = cnf?.['x5t#S256'];
  if (thumbprint !== undefined && thumbprint !== certificateThumbprint(request)) {
    const reason = 'The token is bound to a certificate: send it over a connection with that one';
    throw rejected(401, 'invalid_token', reason, demand, scheme);
  }
  if (scheme === 'Bearer') {
    if (cnf?.jkt === undefined) return;
    const reason = 'The token is bound to a key: send it as DPoP, with a proof';
    throw rejected(401, 'invalid_token', reason, demand, 'DPoP');
  }
  try {
    const url = issuer.reached(demand.at);
    const proved = await demand.proofs.read(request, reply, { sandbox, url, accessToken: token });
    if (proved === undefined)
      throw new RejectedProof('invalid_dpop_proof', 'There is no DPoP header');
    if (cnf?.jkt === proved.jkt) return;
  } catch (error) {
    if (!(error instanceof RejectedProof)) throw error;
    throw rejected(401, error.code, error.message, demand, scheme);
  }
  const reason =
    cnf?.jkt === undefined
      ? 'The token is bound to no key: send it as Bearer'
      : 'The token is bound to another key than that of the proof';
  throw rejected(401, 'invalid_token', reason, demand, scheme);
}

function readToken(request: Request, demand: Demand): Presented {
  const header = singleHeader(request, 'authorization');
  if (header !== undefined && demand.token !== undefined) {
    const message = 'The token comes twice, in the header and in the form. Send it once';
    throw rejected(400, 'invalid_request', message, demand, 'Bearer');
  }
  if (demand.token !== undefined) return { scheme: 'Bearer', token: demand.token };
  const both = schemes.map((scheme) => challenge(demand, scheme));
  if (header === undefined) throw unauthorized(`There is no Authorization header. ${howTo}`, both);
  const { scheme, credentials: token } = parseAuthorization(header);
  const known = schemes.find((each) => each.toLowerCase() === scheme);
  if (known === undefined || token === '') {
    throw unauthorized(`The Authorization header holds no access token. ${howTo}`, both);
  }
  return { scheme: known, token };
}

function rejected(
  status: number,
  code: string,
  reason: string,
  demand: Demand,
  scheme: Scheme,
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
