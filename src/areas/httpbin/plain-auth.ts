/** Basic and bearer authentication whose credentials the path or the caller chooses. */

import { basicChallenge } from '../../http/credentials/basic-challenge.js';
import { unauthorized } from '../../http/credentials/challenge.js';
import { isFault } from '../../http/credentials/fault.js';
import { isSameUser } from '../../http/credentials/is-same-user.js';
import { parseAuthorization } from '../../http/credentials/parse-authorization.js';
import { parseBasic } from '../../http/credentials/parse-basic.js';
import type { UserCredentials } from '../../http/credentials/user-credentials.js';
import { headerValues, singleHeader } from '../../http/headers/header-values.js';
import { HttpError } from '../../http/http-error.js';
import type { Handler } from './lab.js';
import { sendJson } from './send-json.js';

interface PathUser {
  readonly user: string;
  readonly passwd: string;
}

export const basicAuth: Handler = (request, reply) => {
  const expected = expectedUser(request.params as PathUser);
  const given = parseBasic(singleHeader(request, 'authorization'));
  if (isFault(given)) throw unauthorized(given.fault, basicChallenge);
  if (!isSameUser(given, expected)) {
    throw unauthorized('The user name or the password is wrong.', basicChallenge);
  }
  return sendJson(reply, { authenticated: true, user: given.username });
};

/** The same, but nobody who does not know it learns that there is something. */
export const hiddenBasicAuth: Handler = (request, reply) => {
  const expected = expectedUser(request.params as PathUser);
  const [value, ...others] = headerValues(request, 'authorization');
  const given = parseBasic(value);
  if (others.length > 0 || isFault(given) || !isSameUser(given, expected)) {
    throw new HttpError(
      404,
      'Nothing was found for this request. This path exists only for requests with the Basic credentials it names, sent without waiting for a challenge.',
    );
  }
  return sendJson(reply, { authenticated: true, user: given.username });
};

function expectedUser({ user, passwd }: PathUser): UserCredentials {
  if (!user.includes(':')) return { username: user, password: passwd };
  throw new HttpError(400, 'The user name in the path holds a colon, which Basic cannot send.');
}

/** Any token does. */
export const bearerAuth: Handler = (request, reply) => {
  const { scheme, credentials } = parseAuthorization(singleHeader(request, 'authorization') ?? '');
  if (scheme !== 'bearer' || credentials === '') {
    throw unauthorized('Send Authorization: Bearer followed by any token.', 'Bearer');
  }
  return sendJson(reply, { authenticated: true, token: credentials });
};
