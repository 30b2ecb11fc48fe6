/** Rules about tokens: how a client gets one, and another one for more scopes. */

import type { Login } from '#kit/offers/issuer.js';
import { orderOf } from '#kit/verdict/exchange.js';
import { isRevision, isSince } from '../messages/revision.js';
import { sections } from '../messages/sections.js';
import { callOf } from './memory.js';
import type { Observed } from './observed.js';
import { type Checked, type ClientRule, faultUnless } from './rule.js';

/** Clients name the resource since 2025-06-18. */
function namesResources({ revision, requests }: Observed): boolean {
  const begun = requests.find(({ method }) => method === 'initialize');
  const known = revision ?? begun?.params.protocolVersion;
  return isRevision(known) && isSince(known, '2025-06-18');
}

/** Checks the login whose token a request has. */
const ofLogin =
  (isKeptBy: (login: Login) => boolean | undefined, sent: string) =>
  (observed: Observed): Checked => {
    const isKept = observed.login && isKeptBy(observed.login);
    if (isKept === undefined || !namesResources(observed)) return undefined;
    return faultUnless(isKept, sent);
  };

export const loginRules: readonly ClientRule[] = [
  {
    level: 'must',
    name: 'resource-in-authorization',
    section: sections.resourceParameter,
    what: 'The authorization request for a token has the parameter resource.',
    right: 'Send resource with the URL of the MCP server in the authorization request.',
    check: ofLogin(
      ({ isResourceInAuthorization }) => isResourceInAuthorization,
      'a token whose authorization request had no resource',
    ),
  },
  {
    level: 'must',
    name: 'resource-in-token-request',
    section: sections.resourceParameter,
    what: 'The token request has the parameter resource, also with a code.',
    right: 'Send resource with the URL of the MCP server in the token request.',
    check: ofLogin(
      ({ isResourceInTokenRequest }) => isResourceInTokenRequest,
      'a token whose token request had no resource',
    ),
  },
  {
    name: 'step-up-bounded',
    level: 'should',
    section: sections.stepUp,
    what: 'A client stops when more scopes do not help.',
    right: 'Authorize again at most twice, then report the error.',
    check: (observed) => {
      const { forbidden, forbade } = observed.memory;
      if (forbade === undefined || forbidden === 0) return undefined;
      if (orderOf(observed, forbade) === 'before') return undefined;
      return faultUnless(forbidden < 3, () => `${forbidden} times 403 before`);
    },
  },
  {
    name: 'step-up-keeps-scopes',
    level: 'should',
    section: sections.scopeUnion,
    what: 'After 403 insufficient_scope, a client requests its scopes and the scopes of the challenge.',
    right: 'Request the union of the earlier scopes and the scopes of the challenge.',
    check: ({ isStateless, login, stepUp, requests }) => {
      if (!isStateless || login === undefined || stepUp === undefined) return undefined;
      // The request that needed the scopes, with the token of another login.
      const isRetry = requests.some((each) => callOf(each) === stepUp.call);
      if (!isRetry || login.grantId === stepUp.grantId) return undefined;
      const lost = stepUp.scopes.filter((each) => !login.scopes.includes(each));
      return faultUnless(lost.length === 0, () => `a token without ${lost.join(', ')}`);
    },
  },
];
