/** Failures and delays of the token endpoint, and members that its clients must ignore. */

import { HttpError } from '#http/http-error.js';
import { noStore, oauthBody } from '#http/oauth/oauth-error.js';
import { casesOf } from '#kit/misbehaviour/misbehaviour.js';
import { cite } from '#kit/verdict/citations.js';
import type { IssuerCase } from './case.js';
import { tolerance } from './tolerances.js';

const ofTokenResponse = {
  level: 'must',
  metBy: 'redeemed',
  acceptedBy: ['refreshed', 'asked', 'used'],
} as const;

const unknownMembers = {
  'https://practice-api.example/unknown': { of: ['no', 'meaning'] },
  x_unknown: null,
};

const withUnknownMembers = <Value>(value: Value): Value => ({ ...unknownMembers, ...value });

const page = `<!doctype html>
<html lang="en"><head><title>502 Bad Gateway</title></head>
<body><h1>502 Bad Gateway</h1><p>The server behind this one did not respond.</p></body></html>
`;

export const tokenEndpointCases = casesOf<IssuerCase>()({
  'html-errors': {
    ...ofTokenResponse,
    section: cite('RFC 6749', '5.2'),
    expected: 'refused',
    what: 'The token endpoint fails with an HTML page, like a proxy in front of it.',
    rightClient: 'Reports the status, and does not fail on the HTML.',
    fail: (reply) => reply.code(502).type('text/html; charset=utf-8').serializer(String).send(page),
  },
  'unknown-members': {
    ...tolerance,
    section: cite('RFC 6749', '5.1'),
    metBy: 'redeemed',
    what: 'Discovery, the JWKS, the token response, the ID token and userinfo have unknown members.',
    rightClient: 'Ignores them.',
    discovery: withUnknownMembers,
    jwks: (keys) => keys.map(withUnknownMembers),
    tokenResponse: withUnknownMembers,
    claims: withUnknownMembers,
    userinfo: withUnknownMembers,
  },
  slow: {
    ...ofTokenResponse,
    section: cite('RFC 6749', '4.1.2'),
    expected: 'either',
    what: 'The token endpoint responds after two seconds.',
    rightClient: 'Waits, or gives up, but does not send the code again.',
    delayMs: 2000,
  },
  failing: {
    ...ofTokenResponse,
    level: 'should',
    section: cite('RFC 9110', '10.2.3'),
    expected: 'refused',
    what: 'The token endpoint responds with 503, with Retry-After and temporarily_unavailable.',
    rightClient: 'Reports the error, and starts again only after the delay.',
    fail() {
      const message = 'Simulated failure: the issuer misbehaves as failing.';
      throw new HttpError(503, message, {
        headers: { ...noStore, 'retry-after': '1' },
        body: oauthBody('temporarily_unavailable', message),
      });
    },
  },
});
