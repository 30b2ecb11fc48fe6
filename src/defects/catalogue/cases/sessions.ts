/** Reports of bugs of sessions, which are never served. */

import type { BugCase } from './bug-case.js';

const wrongLogin = 'POST /api/auth/session/login | {"username":"ada","password":"wrong"}';

export const sessionCases: Readonly<Record<string, BugCase>> = {
  'session-everywhere-lost': {
    steps: [
      'POST /api/auth/session/login | {"username":"ada","password":"ada-secret"}',
      'POST /api/auth/session/logout-everywhere | Cookie: {1.cookie} | {}',
      'GET /api/auth/session/me | Cookie: {1.cookie}',
    ],
    reported: 2,
    at: 'status',
    right: 401,
    wrong: 200,
    healthy: ['POST /api/auth/session/logout-everywhere | {}'],
    healthyStatus: 401,
  },
  'session-attempts-unlimited': {
    steps: [wrongLogin, wrongLogin, wrongLogin, wrongLogin, wrongLogin, wrongLogin],
    at: 'status',
    right: 429,
    wrong: 401,
    healthy: ['POST /api/auth/session/login | {"username":"alan","password":"wrong"}'],
    healthyStatus: 401,
  },
  'session-cors-any-origin': {
    steps: ['GET /api/auth/session/me | Origin: https://evil.example'],
    at: 'headers.access-control-allow-origin',
    right: '*',
    wrong: 'https://evil.example',
    healthy: ['GET /api/auth/session/me'],
    healthyStatus: 401,
  },
  'session-cached-by-proxies': {
    steps: ['GET /api/auth/session/me'],
    at: 'headers.cache-control',
    right: 'no-store',
    wrong: 'public, max-age=600',
    healthy: ['GET /api/auth/session/me?x=1'],
    healthyStatus: 401,
  },
};
