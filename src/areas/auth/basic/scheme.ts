import { Type } from 'typebox';
import { valuesIn } from '#config/setting.js';
import type { Config } from '#config/settings.js';
import { anyMethod } from '#http/any-method.js';
import { basicChallenge, unauthorized } from '#http/credentials/challenge.js';
import { isFault } from '#http/credentials/fault.js';
import { parseBasic } from '#http/credentials/parse-basic.js';
import { isSameUser, type UserCredentials } from '#http/credentials/user-credentials.js';
import type { Request } from '#http/exchange.js';
import { headerValues, singleHeader } from '#http/headers/header-values.js';
import { HttpError } from '#http/http-error.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import { endpoint, secret } from '#kit/endpoint.js';
import { presetToken } from '#kit/offers/front-page.js';
import { countBody, countedBody, countedError } from '../count-body.js';
import { type Scheme, seeIndex } from '../scheme.js';
import { userCard, userSchema, userSetting, userVariables } from '../user.js';
import { basicCollection } from './collection.js';

const settings = {
  /** Credentials for Basic, as `name:password`. */
  basicUser: userSetting('auth-basic-user', 'credentials for Basic', 'demo:basic-secret'),
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

const responses = { 200: recordSchema };

const counted = {
  responses: {
    200: Type.Object({ ...recordSchema.properties, ...countedBody }),
    401: countedError,
    413: errorSchema,
  },
};
const countsBody = "Any method works. The response has the size of the request's body.";

const rightName = Type.String({ description: 'The expected user name.' });
const rightPassword = secret(Type.String({ description: 'The expected password.' }));

const authenticateUser = (user: UserCredentials) =>
  endpoint(anyMethod, path, {
    ...counted,
    summary: 'Authenticate with Basic as the demo user',
    description: `GET /api/auth shows the user name and the password under basic. ${countsBody}`,
    security: [{ basic: [] }],
    handle: (request) => countBody(request, () => authenticate(request, user)),
  });

const authenticateByPath = endpoint(anyMethod, `${path}/:user/:password`, {
  ...counted,
  summary: 'Authenticate with Basic as the user in the path',
  description: `Any user name without a colon, and any password, percent-encoded. ${countsBody}`,
  security: [{ pathBasic: [] }],
  params: { user: rightName, password: rightPassword },
  handle(request) {
    const { user, password } = request.params;
    return countBody(request, () => authenticateAs(request, user, password));
  },
});

const emptyPassword =
  'The password is empty, which RFC 7617 section 2 allows. The path may end with a slash.';

const authenticateByUser = endpoint('GET', `${path}/:user`, {
  summary: 'Authenticate with Basic and an empty password',
  description: emptyPassword,
  security: [{ pathBasic: [] }],
  params: { user: rightName },
  responses,
  handle: (request) => authenticateAs(request, request.params.user, ''),
});

const authenticateHidden = endpoint('GET', `${path}-hidden/:a/:b`, {
  summary: 'Authenticate with Basic, or get 404 without a challenge',
  description: 'For clients that send credentials preemptively, without waiting for a challenge.',
  security: [{ pathBasic: [] }],
  params: { a: rightName, b: rightPassword },
  // A challenge would reveal it.
  responses: { 200: recordSchema, 401: undefined, 404: errorSchema },
  handle: (request) =>
    authenticateOrHide(request, { username: request.params.a, password: request.params.b }),
});

const authenticateHiddenUser = endpoint('GET', `${path}-hidden/:a`, {
  summary: 'Authenticate with Basic without a challenge or password',
  description: emptyPassword,
  security: [{ pathBasic: [] }],
  params: { a: rightName },
  // A challenge would reveal it.
  responses: { 200: recordSchema, 401: undefined, 404: errorSchema },
  handle: (request) => authenticateOrHide(request, { username: request.params.a, password: '' }),
});

function authenticateAs(request: Request, username: string, password: string) {
  if (username.includes(':')) {
    throw new HttpError(
      400,
      'The user name in the path contains a colon, which Basic cannot send.',
    );
  }
  return authenticate(request, { username, password });
}

function authenticateOrHide(request: Request, expected: UserCredentials) {
  const values = headerValues(request, 'authorization');
  const given = parseBasic(values[0]);
  if (values.length !== 1 || isFault(given) || !isSameUser(given, expected)) {
    throw new HttpError(
      404,
      'Not found. This path responds only to requests that send the Basic credentials in its URL preemptively.',
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
      title: 'Sign in with Basic',
      method: 'GET',
      path: '/api/auth/basic',
      user: userOf(config),
      response: { status: 200, has: '"authenticated":true' },
    },
  ],
  offers: [
    presetToken.of(() => ({ title: 'no credentials', method: 'GET', path: '/api/auth/basic' })),
  ],
  securitySchemes: {
    basic: { type: 'http', scheme: 'basic', description: `RFC 7617. ${seeIndex}` },
    pathBasic: {
      type: 'http',
      scheme: 'basic',
      description: 'RFC 7617, with the user name and the password in the path.',
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
