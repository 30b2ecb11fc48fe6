/** Defects of sessions of browsers. */

import type { Request } from '#http/exchange.js';
import { isMembers, losesWrites, shownBySession } from '../change-request.js';
import { defectsOf } from '../defect.js';

const ownPath = '/api/auth/session';

/** Attempts that are counted, but never wait. */
function withoutWait(space: string, value: unknown): unknown {
  if (space !== 'login-attempts' || !isMembers(value)) return value;
  const { waitsUntilMs: _waitsUntilMs, ...attempts } = value;
  return attempts;
}

const originOf = ({ raw }: Request) => {
  const { origin } = raw.headers;
  return typeof origin === 'string' && /^[!-~]{1,200}$/.test(origin) ? origin : undefined;
};

export const sessionDefects = defectsOf('Sessions', {
  'session-everywhere-lost': {
    level: 'senior',
    kind: 'authentication',
    endpoints: [`POST ${ownPath}/logout-everywhere`],
    wrong: 'The response is 204, but all sessions of the user remain valid.',
    right: 'After it, no cookie of a session of the user is accepted.',
    stores: [ownPath],
    shownBy: shownBySession,
    state: losesWrites,
  },
  'session-attempts-unlimited': {
    level: 'senior',
    kind: 'resource-consumption',
    endpoints: [`POST ${ownPath}/login`],
    wrong: 'Any number of passwords can be tried.',
    right: 'After five wrong passwords for a user, all logins as that user get 429 for a minute.',
    state: () => ({ read: withoutWait }),
  },
  'session-cors-any-origin': {
    level: 'junior',
    kind: 'security-misconfiguration',
    endpoints: [`GET ${ownPath}/me`],
    wrong: 'Scripts of any origin may read the response with the cookies of the user.',
    right: 'Access-Control-Allow-Origin is *, without Access-Control-Allow-Credentials.',
    after(response, request) {
      const origin = originOf(request);
      if (origin === undefined) return;
      response.setHeader('access-control-allow-origin', origin);
      response.setHeader('access-control-allow-credentials', 'true');
      response.setHeader('vary', 'Origin');
    },
  },
  'session-cached-by-proxies': {
    level: 'junior',
    kind: 'caching',
    endpoints: [`GET ${ownPath}/me`],
    wrong: 'Shared caches may store who is logged in, and send it to others.',
    right: 'The response has Cache-Control: no-store.',
    after(response) {
      response.setHeader('cache-control', 'public, max-age=600');
    },
  },
});
