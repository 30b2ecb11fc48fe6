/** Basic and bearer authentication whose credentials the path or the caller chooses. */

import { Type } from 'typebox';
import { basicChallenge } from '../../http/credentials/basic-challenge.js';
import { unauthorized } from '../../http/credentials/challenge.js';
import { isFault } from '../../http/credentials/fault.js';
import { isSameUser } from '../../http/credentials/is-same-user.js';
import { parseAuthorization } from '../../http/credentials/parse-authorization.js';
import { parseBasic } from '../../http/credentials/parse-basic.js';
import type { UserCredentials } from '../../http/credentials/user-credentials.js';
import type { Reply } from '../../http/exchange.js';
import { headerValues, singleHeader } from '../../http/header-values.js';
import { HttpError } from '../../http/http-error.js';
import { failures } from '../../kit/describe/error-schema.js';
import { text } from '../../kit/describe/value-schemas.js';
import { spec } from './spec.js';
import { sendJson } from './write-json.js';

export const userParams = {
  user: text('The user name that is right.'),
  passwd: text('The password that is right.'),
};

interface PathUser {
  readonly user: string;
  readonly passwd: string;
}

export const authenticated = {
  200: Type.Object({ authenticated: Type.Literal(true), user: Type.String() }),
};

export const welcome = (reply: Reply, user: string) =>
  sendJson(reply, { authenticated: true, user });

const basic = {
  params: userParams,
  security: [{ pathUser: [] }],
};

export const basicAuth = spec({
  summary: 'Authenticate by Basic as the user in the path',
  ...basic,
  responses: { ...authenticated, ...failures(400, 401) },
  handle(request, reply) {
    const expected = expectedUser(request.params);
    const given = parseBasic(singleHeader(request, 'authorization'));
    if (isFault(given)) throw unauthorized(given.fault, basicChallenge);
    if (isSameUser(given, expected)) return welcome(reply, given.username);
    throw unauthorized('The user name or the password is wrong.', basicChallenge);
  },
});

/** The same, but without a hint to callers who do not know it. */
export const hiddenBasicAuth = spec({
  summary: 'Authenticate by Basic, or get 404 without a challenge',
  ...basic,
  responses: { ...authenticated, ...failures(400, 404) },
  handle(request, reply) {
    const expected = expectedUser(request.params);
    const [value, ...others] = headerValues(request, 'authorization');
    const given = parseBasic(value);
    if (others.length === 0 && !isFault(given) && isSameUser(given, expected)) {
      return welcome(reply, given.username);
    }
    const message =
      'Nothing was found for this request. This path exists only for requests with the Basic credentials it names, sent without waiting for a challenge.';
    throw new HttpError(404, message);
  },
});

function expectedUser({ user, passwd }: PathUser): UserCredentials {
  if (!user.includes(':')) return { username: user, password: passwd };
  throw new HttpError(400, 'The user name in the path holds a colon, which Basic cannot send.');
}

export const bearerAuth = spec({
  summary: 'Authenticate by any bearer token',
  security: [{ anyBearer: [] }],
  responses: {
    200: Type.Object({ authenticated: Type.Literal(true), token: Type.String() }),
    ...failures(401),
  },
  handle(request, reply) {
    const header = singleHeader(request, 'authorization') ?? '';
    const { scheme, credentials } = parseAuthorization(header);
    if (scheme === 'bearer' && credentials !== '') {
      return sendJson(reply, { authenticated: true, token: credentials });
    }
    throw unauthorized('Send Authorization: Bearer followed by any token.', 'Bearer');
  },
});
