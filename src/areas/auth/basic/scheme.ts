/** Basic authentication (RFC 7617). */

import { Type } from 'typebox';
import { valuesIn } from '../../../config/setting.js';
import type { Config } from '../../../config/settings.js';
import { anyMethod } from '../../../http/any-method.js';
import { basicChallenge } from '../../../http/credentials/basic-challenge.js';
import { unauthorized } from '../../../http/credentials/challenge.js';
import { isFault } from '../../../http/credentials/fault.js';
import { isSameUser } from '../../../http/credentials/is-same-user.js';
import { parseBasic } from '../../../http/credentials/parse-basic.js';
import type { UserCredentials } from '../../../http/credentials/user-credentials.js';
import type { Request } from '../../../http/exchange.js';
import { headerValues, singleHeader } from '../../../http/headers/header-values.js';
import { HttpError } from '../../../http/http-error.js';
import { errorSchema } from '../../../http/schemas/error-schema.js';
import { endpoint } from '../../../kit/endpoint.js';
import { countBody, countedBody, countedError } from '../count-body.js';
import { type Scheme, seeIndex } from '../scheme.js';
import { userCard, userSchema, userSetting, userVariables } from '../user.js';
import { basicCollection } from './collection.js';

const settings = {
  /** Who may use Basic, as `name:password`. */
  basicUser: userSetting('auth-basic-user', 'who may use Basic', 'demo:basic-secret'),
};

const userOf = (config: Config) => valuesIn(config, settings).basicUser;

const path = '/api/auth/basic';

const recordSchema = Type.Object(
  {
    authenticated: Type.Boolean(),
    scheme: Type.Literal('basic'),
    user: Type.String(),
  },
  { title: 'BasicAuthenticated' },
);

const responses = { 200: recordSchema, 400: errorSchema, 401: errorSchema };

const counted = {
  responses: {
    200: Type.Object({ ...recordSchema.properties, ...countedBody }),
    400: errorSchema,
    401: countedError,
    413: errorSchema,
  },
};
const countsBody =
  'Any method works. The response says how many bytes of a body came with the request.';

const rightName = Type.String({ description: 'The user name that is right.' });
const rightPassword = Type.String({ description: 'The password that is right.' });

const authenticateUser = (user: UserCredentials) =>
  endpoint(anyMethod, path, {
    ...counted,
    summary: 'Authenticate by Basic as the demo user',
    description: `GET /api/auth shows the user name and the password under basic. ${countsBody}`,
    security: [{ basic: [] }],
    handle: (request) => countBody(request, () => authenticate(request, user)),
  });

const authenticateByPath = endpoint(anyMethod, `${path}/:user/:password`, {
  ...counted,
  summary: 'Authenticate by Basic as the user in the path',
  description: `Any user name without a colon, and any password, percent-encoded. ${countsBody}`,
  security: [{ pathBasic: [] }],
  params: { user: rightName, password: rightPassword },
  handle(request) {
    const { user, password } = request.params;
    return countBody(request, () => authenticateAs(request, user, password));
  },
});

const emptyPassword =
  'The password is empty: RFC 7617 section 2 allows that. The path may end in a slash.';

const authenticateByUser = endpoint('GET', `${path}/:user`, {
  summary: 'Authenticate by Basic with an empty password',
  description: emptyPassword,
  security: [{ pathBasic: [] }],
  params: { user: rightName },
  responses,
  handle: (request) => authenticateAs(request, request.params.user, ''),
});

const authenticateHidden = endpoint('GET', `${path}-hidden/:a/:b`, {
  summary: 'Authenticate by Basic, or get 404 without a challenge',
  description: 'For clients that must send credentials without waiting for a challenge.',
  security: [{ pathBasic: [] }],
  params: { a: rightName, b: rightPassword },
  responses: { 200: recordSchema, 404: errorSchema },
  handle: (request) =>
    authenticateOrHide(request, { username: request.params.a, password: request.params.b }),
});

const authenticateHiddenUser = endpoint('GET', `${path}-hidden/:a`, {
  summary: 'Authenticate by Basic without a challenge or password',
  description: emptyPassword,
  security: [{ pathBasic: [] }],
  params: { a: rightName },
  responses: { 200: recordSchema, 404: errorSchema },
  handle: (request) => authenticateOrHide(request, { username: request.params.a, password: '' }),
});

function authenticateAs(request: Request, username: string, password: string) {
  if (username.includes(':')) {
    throw new HttpError(400, 'The user name in the path holds a colon, which Basic cannot send.');
  }
  return authenticate(request, { username, password });
}

function authenticateOrHide(request: Request, expected: UserCredentials) {
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
  return { authenticated: true, scheme: 'basic', user: username };
}

export const basicScheme = {
  name: 'basic',
  title: 'Basic',
  settings,
  index: { schema: { basic: userSchema }, read: (config) => ({ basic: userOf(config) }) },
  credentials: (config) => [userCard('Basic', userOf(config))],
  examples: (config) => [
    {
      title: 'Sign in by Basic',
      method: 'GET',
      path: '/api/auth/basic',
      user: userOf(config),
      response: { status: 200, has: '"authenticated":true' },
    },
  ],
  presets: [{ title: 'no credentials', method: 'GET', path: '/api/auth/basic' }],
  securitySchemes: {
    basic: { type: 'http', scheme: 'basic', description: `RFC 7617. ${seeIndex}` },
    pathBasic: {
      type: 'http',
      scheme: 'basic',
      description: 'RFC 7617, with the user name and the password that the path names.',
    },
  },
  collection: {
    ...basicCollection,
    variables: (config) => userVariables('basic', userOf(config)),
  },
  endpoints: ({ config }) => [
    authenticateUser(userOf(config)),
    authenticateByPath,
    authenticateByUser,
    authenticateHidden,
    authenticateHiddenUser,
  ],
} satisfies Scheme;
