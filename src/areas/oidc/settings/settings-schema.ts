/** What `PUT /api/sandbox/oidc` accepts and returns. */

import { type Static, Type } from 'typebox';
import { errorSchema } from '../../../http/schemas/error-schema.js';
import { tokenFormats } from '../clients/client.js';
import { certificateMembers, oneOf } from '../clients/client-metadata.js';
import { signingAlgorithms } from '../keys/key-ring.js';
import { lifetimes } from '../lifetimes.js';

const closed = { additionalProperties: false };
const isPlain = '^[^\\x00-\\x1f\\x7f]*$';
const visible = '^[\\x21-\\x7e]+$';
const uris = Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 10 });

const userSchema = Type.Object(
  {
    username: Type.String({ pattern: '^[\\w.@+-]{1,64}$', description: 'Also the `sub`.' }),
    password: Type.String({ minLength: 1, maxLength: 200, pattern: isPlain }),
    totpSecret: Type.Optional(
      Type.String({
        pattern: '^[A-Z2-7]{16,64}$',
        description: 'Base32; asks for a code as well.',
      }),
    ),
    claims: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'Those that no scope stands for are in every ID token and in userinfo.',
      }),
    ),
  },
  { title: 'OidcUser', ...closed },
);

const clientSchema = Type.Object(
  {
    clientId: Type.String({ pattern: '^[\\w.~-]{1,100}$' }),
    clientSecret: Type.Optional(
      Type.String({ minLength: 8, maxLength: 200, pattern: visible, description: 'None: public.' }),
    ),
    name: Type.Optional(Type.String({ maxLength: 100, pattern: isPlain })),
    redirectUris: Type.Optional(uris),
    postLogoutRedirectUris: Type.Optional(uris),
    ...certificateMembers,
    token_endpoint_auth_method: Type.Optional(Type.Literal('tls_client_auth')),
    accessToken: Type.Optional(oneOf(tokenFormats)),
    idTokenAlg: Type.Optional(oneOf(signingAlgorithms)),
  },
  { title: 'OidcClient', ...closed },
);

/** A year. */
const maxSeconds = 365 * 24 * 3600;
const life = Type.Integer({ minimum: 1, maximum: maxSeconds });
const lifetimeNames = Object.keys(lifetimes) as (keyof typeof lifetimes)[];
const lifetimesSchema = Type.Object(
  Object.fromEntries(lifetimeNames.map((name) => [name, Type.Optional(life)])) as Record<
    keyof typeof lifetimes,
    ReturnType<typeof Type.Optional<typeof life>>
  >,
  { title: 'OidcLifetimes', description: 'In seconds.', ...closed },
);

const misbehave = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'A name of GET /oidc/test-plan; null turns it off.',
});

const settingsSchema = Type.Object(
  {
    users: Type.Optional(Type.Array(userSchema, { maxItems: 50 })),
    lifetimes: Type.Optional(lifetimesSchema),
    clients: Type.Optional(Type.Array(clientSchema, { maxItems: 20 })),
    misbehave: Type.Optional(misbehave),
  },
  { title: 'OidcSettings', ...closed },
);

export type IssuerSettings = Static<typeof settingsSchema>;

const inOwnSandbox = 'In a sandbox with a name alone; in the shared one it is 403.';

export const readSettings = {
  summary: 'Show what the sandbox has set for its issuer',
  description: inOwnSandbox,
  response: { 200: settingsSchema, 403: errorSchema },
};

export const putSettings = {
  summary: 'Set users, lifetimes, clients and a misbehaviour',
  description: `Users and clients are added to the default ones; one of the same name replaces it. What is left out has its default. ${inOwnSandbox}`,
  body: settingsSchema,
  response: {
    200: settingsSchema,
    400: errorSchema,
    403: errorSchema,
    413: errorSchema,
    415: errorSchema,
  },
};
