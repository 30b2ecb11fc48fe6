/** What the routes of passkeys accept and return. Ceremonies are JSON as browsers make and take it (WebAuthn Level 3). */

import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { type Static, Type } from 'typebox';
import { notBlankPattern } from '../../base/text/text-patterns.js';
import type { Reply } from '../../http/exchange.js';
import { errorSchema } from '../../http/schemas/error-schema.js';
import { challenge, ifNoneMatch, optional, vary } from '../../http/schemas/header-schemas.js';
import { pageResponseHeaders } from '../../site/send-page.js';

const text = Type.String();
const encoded = (maxLength: number) => Type.String({ maxLength, pattern: '^[\\w-]+$' });
const username = Type.String({ maxLength: 64, pattern: notBlankPattern });

const placeSchema = Type.Object({
  rpId: Type.Union([text, Type.Null()], {
    description: 'The host that passkeys are for; null where it is an address.',
  }),
  origin: text,
  passkeys: Type.Integer({ description: 'How many this sandbox has.' }),
});

export const showPlace = {
  summary: 'Get the passkey settings, or a page for browsers',
  response: {
    200: {
      description: 'The place, or the page.',
      content: {
        'application/json': {
          schema: Type.Unsafe<Static<typeof placeSchema> | Reply>(placeSchema),
        },
        'text/html': { schema: Type.Unsafe<Reply>({ type: 'string' }) },
      },
    },
    304: Type.Null({ description: 'The browser has the page already.' }),
  },
  described: { headers: ifNoneMatch },
  responseHeaders: {
    200: { ...vary, ...optional(pageResponseHeaders[200]) },
    304: { ...vary, ...pageResponseHeaders[304] },
  },
};

const options = <Kind>() =>
  Type.Unsafe<Kind>({
    type: 'object',
    properties: { challenge: { type: 'string' } },
    required: ['challenge'],
    additionalProperties: true,
  });

export const registerOptions = {
  summary: 'Get the options to create a passkey',
  description:
    'For PublicKeyCredential.parseCreationOptionsFromJSON. The challenge can be used once, within five minutes.',
  body: Type.Object({ username }),
  response: {
    200: options<PublicKeyCredentialCreationOptionsJSON>(),
    400: errorSchema,
    413: errorSchema,
    415: errorSchema,
  },
};

/** What clients add stays unread. */
const credential = (members: Readonly<Record<string, ReturnType<typeof encoded>>>) =>
  Type.Object(
    {
      id: encoded(1400),
      rawId: encoded(1400),
      type: Type.Literal('public-key'),
      response: Type.Object(
        { clientDataJSON: encoded(4000), ...members },
        { additionalProperties: true },
      ),
    },
    { additionalProperties: true },
  );

const passkeySchema = Type.Object({
  verified: Type.Literal(true),
  username: text,
  id: text,
  counter: Type.Integer({ description: 'How often it has signed; 0 where it is not counted.' }),
});

export const registerVerify = {
  summary: 'Store a passkey that a browser has created',
  description: 'The response of navigator.credentials.create() as its toJSON() has it.',
  body: Type.Unsafe<RegistrationResponseJSON>(credential({ attestationObject: encoded(16_000) })),
  response: {
    201: passkeySchema,
    400: errorSchema,
    409: errorSchema,
    413: errorSchema,
    415: errorSchema,
  },
};

export const loginOptions = {
  summary: 'Get the options to log in with a passkey',
  description:
    'Without a user name the browser offers every passkey that it has for this host. For PublicKeyCredential.parseRequestOptionsFromJSON.',
  body: Type.Object({ username: Type.Optional(username) }, { default: {} }),
  response: {
    200: options<PublicKeyCredentialRequestOptionsJSON>(),
    400: errorSchema,
    413: errorSchema,
    415: errorSchema,
  },
};

export const loginVerify = {
  summary: 'Log in with what a passkey has signed',
  description: 'The response of navigator.credentials.get() as its toJSON() has it.',
  body: Type.Unsafe<AuthenticationResponseJSON>(
    credential({ authenticatorData: encoded(4000), signature: encoded(2000) }),
  ),
  response: {
    200: passkeySchema,
    400: errorSchema,
    401: errorSchema,
    413: errorSchema,
    415: errorSchema,
  },
  responseHeaders: { 401: challenge },
};
