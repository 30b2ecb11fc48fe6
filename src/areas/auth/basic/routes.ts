/** Basic authentication (RFC 7617): fixed credentials, credentials from the path, and a hidden one. */

import { Type } from 'typebox';
import { valuesIn } from '../../../config/setting.js';
import type { App, Services } from '../../../server/area.js';
import { errorSchema } from '../../../server/error-schema.js';
import { headerValues, singleHeader } from '../../../server/header-values.js';
import { HttpError } from '../../../server/http-error.js';
import { basicChallenge } from '../basic-challenge.js';
import { unauthorized } from '../challenge.js';
import { isFault } from '../fault.js';
import { isSameUser } from '../is-same-user.js';
import { parseBasic } from '../parse-basic.js';
import type { UserCredentials } from '../parse-user.js';
import { securedBy } from '../secured-by.js';
import { basicSettings } from './settings.js';

const recordSchema = Type.Object(
  {
    authenticated: Type.Boolean(),
    scheme: Type.Literal('basic'),
    user: Type.String(),
  },
  { title: 'BasicAuthenticated' },
);

const pathSchema = Type.Object({
  user: Type.String({ description: 'The user name that is right.' }),
  password: Type.String({ description: 'The password that is right.' }),
});

const hiddenPathSchema = Type.Object({
  a: Type.String({ description: 'The user name that is right.' }),
  b: Type.String({ description: 'The password that is right.' }),
});

export function addBasicRoutes(app: App, { config }: Services): void {
  const { basicUser } = valuesIn(config, basicSettings);
  app.get(
    '/api/auth/basic',
    {
      schema: {
        summary: 'Basic authentication with the demo user',
        description: 'The user name and the password stand under basic in GET /api/auth.',
        security: securedBy('basic'),
        response: { 200: recordSchema, 400: errorSchema, 401: errorSchema },
      },
    },
    async (request) => authenticate(singleHeader(request, 'authorization'), basicUser),
  );

  app.get(
    '/api/auth/basic/:user/:password',
    {
      schema: {
        summary: 'Basic authentication with the user name and password that the path names',
        description: 'Any user name without a colon, and any password, percent-encoded.',
        security: securedBy('pathBasic'),
        params: pathSchema,
        response: { 200: recordSchema, 400: errorSchema, 401: errorSchema },
      },
    },
    async (request) => {
      const { user: username, password } = request.params;
      if (username.includes(':')) {
        throw new HttpError(
          400,
          'The user name in the path holds a colon, which Basic cannot send.',
        );
      }
      return authenticate(singleHeader(request, 'authorization'), { username, password });
    },
  );

  app.get(
    '/api/auth/basic-hidden/:a/:b',
    {
      schema: {
        summary: 'Basic authentication that answers 404 without a challenge',
        description: 'For clients that must send credentials before anyone asks for them.',
        security: securedBy('pathBasic'),
        params: hiddenPathSchema,
        response: { 200: recordSchema, 404: errorSchema },
      },
    },
    async (request) => {
      const { a: username, b: password } = request.params;
      const values = headerValues(request, 'authorization');
      const given = parseBasic(values[0]);
      if (values.length !== 1 || isFault(given) || !isSameUser(given, { username, password })) {
        throw new HttpError(
          404,
          'There is nothing here for this request. This path shows itself only to the Basic credentials it names, sent without waiting for a challenge.',
        );
      }
      return record(given);
    },
  );
}

function authenticate(header: string | undefined, expected: UserCredentials) {
  const given = parseBasic(header);
  if (isFault(given)) throw unauthorized(given.fault, basicChallenge);
  if (!isSameUser(given, expected)) {
    throw unauthorized('The user name or the password is wrong.', basicChallenge);
  }
  return record(given);
}

function record({ username }: UserCredentials) {
  return { authenticated: true, scheme: 'basic', user: username } as const;
}
