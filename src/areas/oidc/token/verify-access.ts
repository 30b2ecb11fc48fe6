/** Verifies access tokens for resources of other areas. */

import { quoted, unauthorized } from '#http/credentials/challenge.js';
import { parseAuthorization } from '#http/credentials/parse-authorization.js';
import type { Request } from '#http/exchange.js';
import { singleHeader } from '#http/headers/header-values.js';
import type {
  Access,
  AccessDemand,
  IssuerSteering,
  Login,
  VerifyAccess,
} from '#kit/offers/issuer.js';
import { issuerOf } from '../messages/issuer.js';
import type { IssuerKeys } from '../model/issuer-keys.js';
import { type FoundAccess, findAccess } from './access.js';

export function accessVerifier(keys: IssuerKeys): Pick<IssuerSteering, 'verify' | 'loginOf'> {
  const found = new WeakMap<Request, ReturnType<typeof findAccess>>();
  /** Verifies a signature only once. */
  const find = (request: Request, token: string) => {
    const { sandbox } = request;
    const known =
      found.get(request) ?? findAccess({ keys, sandbox, issuer: issuerOf(request) }, token);
    found.set(request, known);
    return known;
  };
  return {
    verify: verifier(find),
    async loginOf(request) {
      const token = bearerOf(request);
      const access = token === undefined ? 'no token' : await find(request, token);
      return typeof access === 'string' ? undefined : describeLogin(access);
    },
  };
}

/** Returns how a client got its token. */
function describeLogin({ grant, record }: FoundAccess): Login {
  const { clientId, sub, scope, grantId, namesResource } = record;
  const isOfCode = grant.idTokenClaims !== undefined;
  const isOfClient = !grant.isOfUser && sub === clientId;
  return {
    ...{ clientId, sub, grantId, scopes: scope.split(' ') },
    ...(isOfCode && { isResourceInAuthorization: grant.targets !== undefined }),
    ...((isOfCode || isOfClient) &&
      namesResource !== undefined && { isResourceInTokenRequest: namesResource }),
  };
}

/** Returns `undefined` without exactly one bearer token. */
function bearerOf(request: Request): string | undefined {
  const { authorization } = request.headers;
  const { scheme, credentials } = parseAuthorization(authorization ?? '');
  return scheme === 'bearer' && credentials !== '' ? credentials : undefined;
}

function verifier(
  find: (request: Request, token: string) => ReturnType<typeof findAccess>,
): VerifyAccess {
  return async (request, demand) => {
    const header = singleHeader(request, 'authorization');
    const { scheme, credentials } = parseAuthorization(header ?? '');
    if (header === undefined || scheme !== 'bearer' || credentials === '') {
      const message = 'Send Authorization: Bearer followed by an access token for this URL.';
      throw unauthorized(message, challenge(demand));
    }
    const found = await find(request, credentials);
    if (typeof found === 'string') throw invalid(demand, found);
    const { targets = [], cnf, scope, sub, clientId } = found.record;
    if (!targets.includes(demand.resource)) {
      throw invalid(demand, `The token is not for the resource ${demand.resource}`);
    }
    if (cnf !== undefined) throw invalid(demand, 'The token is bound to a key of its client');
    return { sub, clientId, scopes: scope.split(' ') } satisfies Access;
  };
}

function challenge({ metadata, scope }: AccessDemand): string {
  return `Bearer resource_metadata=${quoted(metadata)}, scope=${quoted(scope)}`;
}

function invalid(demand: AccessDemand, reason: string) {
  const error = `error="invalid_token", error_description=${quoted(reason)}`;
  return unauthorized(`${reason}.`, `${challenge(demand)}, ${error}`);
}
