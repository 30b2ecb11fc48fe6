/** Verifies access tokens for resources of other areas. */

import { quoted, unauthorized } from '../../../http/credentials/challenge.js';
import { parseAuthorization } from '../../../http/credentials/parse-authorization.js';
import { singleHeader } from '../../../http/headers/header-values.js';
import type { Access, AccessDemand, VerifyAccess } from '../../../kit/offers/issuer.js';
import { issuerOf } from '../messages/issuer.js';
import type { IssuerKeys } from '../model/issuer-keys.js';
import { findAccess } from './access.js';

export function accessVerifier(keys: IssuerKeys): VerifyAccess {
  return async (request, demand) => {
    const header = singleHeader(request, 'authorization');
    const { scheme, credentials } = parseAuthorization(header ?? '');
    if (header === undefined || scheme !== 'bearer' || credentials === '') {
      const message = 'Send Authorization: Bearer followed by an access token for this URL.';
      throw unauthorized(message, challenge(demand));
    }
    const { sandbox } = request;
    const found = await findAccess({ keys, sandbox, issuer: issuerOf(request) }, credentials);
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
