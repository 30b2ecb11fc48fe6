/** What the front page shows of this area. */

import type { Config } from '../../config/settings.js';
import type { Example } from '../../server/example.js';

export function authExamples({ basicUser, bearerTokens, jwtAdmin }: Config): readonly Example[] {
  const { username, password } = jwtAdmin;
  return [
    {
      title: 'Sign in by Basic',
      method: 'GET',
      path: '/api/auth/basic',
      user: basicUser,
      answer: { status: 200, has: '"authenticated":true' },
    },
    {
      title: 'Log in for a JWT and a refresh token',
      method: 'POST',
      path: '/api/auth/jwt/login',
      json: { username, password },
      answer: { status: 200, has: '"tokenType":"Bearer"' },
    },
    {
      title: 'Be refused for want of a role',
      method: 'GET',
      path: '/api/auth/roles/admin',
      headers: { Authorization: `Bearer ${bearerTokens.readOnly}` },
      answer: { status: 403, headers: ['WWW-Authenticate'], has: 'insufficient_scope' },
    },
  ];
}
