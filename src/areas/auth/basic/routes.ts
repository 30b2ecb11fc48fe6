/** Basic authentication (RFC 7617): fixed credentials, credentials from the path, and a hidden one. */

import { valuesIn } from '../../../config/setting.js';
import { basicChallenge } from '../../../http/credentials/basic-challenge.js';
import { unauthorized } from '../../../http/credentials/challenge.js';
import { isFault } from '../../../http/credentials/fault.js';
import { isSameUser } from '../../../http/credentials/is-same-user.js';
import { parseBasic } from '../../../http/credentials/parse-basic.js';
import type { UserCredentials } from '../../../http/credentials/user-credentials.js';
import type { Request } from '../../../http/exchange.js';
import { headerValues, singleHeader } from '../../../http/headers/header-values.js';
import { HttpError } from '../../../http/http-error.js';
import type { App } from '../../../kit/app.js';
import type { Services } from '../../../kit/area.js';
import * as schemas from './schemas.js';
import { basicSettings } from './settings.js';

export function addBasicRoutes(app: App, { config }: Services): void {
  const { basicUser } = valuesIn(config, basicSettings);
  const path = '/api/auth/basic';

  app.get(path, { schema: schemas.knowUser }, async (request) => authenticate(request, basicUser));
  app.get(`${path}/:user/:password`, { schema: schemas.readPath }, async (request) =>
    authenticateByPath(request, request.params.user, request.params.password),
  );
  app.get(`${path}-hidden/:a/:b`, { schema: schemas.hide }, async (request) =>
    authenticateHidden(request, { username: request.params.a, password: request.params.b }),
  );
}

function authenticateByPath(request: Request, username: string, password: string) {
  if (username.includes(':')) {
    throw new HttpError(400, 'The user name in the path holds a colon, which Basic cannot send.');
  }
  return authenticate(request, { username, password });
}

/** Visible only to requests with the credentials. */
function authenticateHidden(request: Request, expected: UserCredentials) {
  const values = headerValues(request, 'authorization');
  const given = parseBasic(values[0]);
  if (values.length !== 1 || isFault(given) || !isSameUser(given, expected)) {
    throw new HttpError(
      404,
      'Nothing was found for this request. This path exists only for requests with the Basic credentials it names, sent without waiting for a challenge.',
    );
  }
  return record(given);
}

function authenticate(request: Request, expected: UserCredentials) {
  const given = parseBasic(singleHeader(request, 'authorization'));
  if (isFault(given)) throw unauthorized(given.fault, basicChallenge);
  if (!isSameUser(given, expected)) {
    throw unauthorized('The user name or the password is wrong.', basicChallenge);
  }
  return record(given);
}

function record({ username }: UserCredentials) {
  return { authenticated: true, scheme: 'basic', user: username } as const;
}
