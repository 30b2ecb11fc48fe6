/** The settings of a sandbox's issuer: users, clients, lifetimes, and a misbehaviour. */

import { type Static, Type } from 'typebox';
import { printablePattern } from '#base/text/text-patterns.js';
import { oneOf } from '#kit/describe/value-schemas.js';
import { type Sandbox, type Space, sharedSandboxName, type Transaction } from '#state/state.js';
import { scopeToken } from '../messages/schemas.js';
import { tokenFormats } from './client.js';
import type { ClientDocuments } from './client-documents.js';
import { certificateMembers } from './client-metadata.js';
import { signingAlgorithms } from './key-ring.js';

const closed = { additionalProperties: false };
/** VSCHAR of RFC 6749 appendix A. */
const vschar = '[\\x20-\\x7e]';

const openClaims = (description: string) =>
  Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description,
    }),
  );

const audience = Type.String({
  // A limit in the pattern would cost as many steps for each character.
  maxLength: 500,
  pattern: '^[\\x21-\\x7e]+$',
  description: '1 to 500 visible ASCII characters.',
});
const uris = Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 10 });

const userSchema = Type.Object(
  {
    username: Type.String({
      pattern: '^[\\w.@+-]{1,64}$',
      description: '1 to 64 letters, digits, and any of _.@+-; also the `sub`.',
    }),
    password: Type.String({ minLength: 1, maxLength: 200, pattern: printablePattern }),
    totpSecret: Type.Optional(
      Type.String({
        pattern: '^[A-Z2-7]{16,64}$',
        description: '16 to 64 characters of base32; the login then requires a code.',
      }),
    ),
    claims: openClaims('Claims that belong to no scope are in every ID token and in userinfo.'),
    accessClaims: openClaims('In access tokens and introspection.'),
  },
  { title: 'OidcUser', ...closed },
);

const clientSchema = Type.Object(
  {
    clientId: Type.String({
      maxLength: 100,
      pattern: `^${vschar}+$`,
      description: '1 to 100 printable ASCII characters.',
    }),
    clientSecret: Type.Optional(
      Type.String({
        maxLength: 200,
        pattern: `^${vschar}+$`,
        description: '1 to 200 printable ASCII characters; a client without a secret is public.',
      }),
    ),
    name: Type.Optional(Type.String({ maxLength: 100, pattern: printablePattern })),
    redirectUris: Type.Optional(uris),
    postLogoutRedirectUris: Type.Optional(uris),
    ...certificateMembers,
    token_endpoint_auth_method: Type.Optional(Type.Literal('tls_client_auth')),
    accessToken: Type.Optional(oneOf(tokenFormats)),
    idTokenAlg: Type.Optional(oneOf(signingAlgorithms)),
    claims: openClaims('For its access tokens and introspection.'),
    audience: Type.Optional({
      ...audience,
      description: 'One of resources: the default aud of its access tokens.',
    }),
    claimsInIdToken: Type.Optional(
      Type.Boolean({ description: 'Whether ID tokens also have the claims of the scopes.' }),
    ),
  },
  { title: 'OidcClient', ...closed },
);

/** The default lifetimes of tokens and codes, in seconds of the sandbox's clock. */
export const defaultLifetimes = {
  code: 60,
  access: 3600,
  id: 3600,
  refresh: 14 * 24 * 3600,
  session: 8 * 3600,
} as const;

export type Lifetimes = Readonly<Record<keyof typeof defaultLifetimes, number>>;

/** A year. */
const maxSeconds = 365 * 24 * 3600;
const life = Type.Optional(Type.Integer({ minimum: 1, maximum: maxSeconds }));
const lifetimesSchema = Type.Object(
  { code: life, access: life, id: life, refresh: life, session: life },
  { title: 'OidcLifetimes', description: 'In seconds.', ...closed },
);

const misbehave = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'A name of GET /oidc/test-plan; null turns it off.',
});

const maxAge = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: maxSeconds,
    description: 'max-age in seconds. Default: no-store.',
  }),
);

const count = Type.Integer({ minimum: 0 });
const fetchesSchema = Type.Object(
  { discovery: count, jwks: count },
  { readOnly: true, description: 'How often each was fetched with GET.', ...closed },
);

type ScopeRule = 'narrow' | 'error';

export const settingsSchema = Type.Object(
  {
    users: Type.Optional(Type.Array(userSchema, { maxItems: 50 })),
    lifetimes: Type.Optional(lifetimesSchema),
    clients: Type.Optional(Type.Array(clientSchema, { maxItems: 20 })),
    misbehave: Type.Optional(misbehave),
    scopes: Type.Optional(
      Type.Array(
        Type.String({
          maxLength: 100,
          pattern: `^${scopeToken}+$`,
          description: '1 to 100 characters of RFC 6749 appendix A.4.',
        }),
        { maxItems: 50 },
      ),
    ),
    unregisteredScopes: Type.Optional(
      Type.Unsafe<ScopeRule>({
        type: 'string',
        enum: ['narrow', 'error'],
        description:
          'How to treat a requested scope that the client may not have: narrow omits it, error responds with invalid_scope.',
      }),
    ),
    resources: Type.Optional(Type.Array(audience, { maxItems: 20 })),
    clientDocuments: Type.Optional(
      Type.Unsafe<ClientDocuments>({
        type: 'object',
        maxProperties: 20,
        additionalProperties: { type: 'object', additionalProperties: true },
        description: 'Client ID metadata documents by their URL, which are not fetched.',
      }),
    ),
    jwksMaxAge: maxAge,
    discoveryMaxAge: maxAge,
    fetches: Type.Optional(fetchesSchema),
  },
  { title: 'OidcSettings', ...closed },
);

export type IssuerSettings = Static<typeof settingsSchema>;

export interface KeptSettings {
  readonly users: NonNullable<IssuerSettings['users']>;
  readonly lifetimes: Lifetimes;
  readonly clients: NonNullable<IssuerSettings['clients']>;
  readonly misbehave: string | null;
  readonly scopes: readonly string[];
  readonly unregisteredScopes: ScopeRule;
  readonly resources: readonly string[];
  readonly clientDocuments?: ClientDocuments | undefined;
  /** How long clients may cache the documents, in seconds. Default: no caching. */
  readonly jwksMaxAge?: number | undefined;
  readonly discoveryMaxAge?: number | undefined;
  /** Until then, tokens signed with the previous lifetimes may be valid. */
  readonly signedBeforeUntilMs?: number;
}

const settingsSpace: Space<KeptSettings> = { name: 'oidc-settings', maxKeys: 1 };
const settingsKey = 'all';

const noSettings: KeptSettings = {
  users: [],
  lifetimes: defaultLifetimes,
  clients: [],
  misbehave: null,
  scopes: [],
  unregisteredScopes: 'narrow',
  resources: [],
};

/** Reads nothing in the shared sandbox, which cannot have settings. */
export async function settingsOf(sandbox: Sandbox): Promise<KeptSettings> {
  if (sandbox.name === sharedSandboxName) return noSettings;
  return (await sandbox.read(settingsSpace, settingsKey)) ?? noSettings;
}

export function settingsIn(view: Transaction): KeptSettings {
  return view.read(settingsSpace, settingsKey) ?? noSettings;
}

export function writeSettings(view: Transaction, settings: KeptSettings): void {
  view.write(settingsSpace, settingsKey, settings);
}

/** Changes only the misbehaviour. */
export async function setMisbehaviour(sandbox: Sandbox, misbehave: string | null): Promise<void> {
  await sandbox.transact((view) => writeSettings(view, { ...settingsIn(view), misbehave }));
}

export function lifetimesIn(view: Transaction): Lifetimes {
  return settingsIn(view).lifetimes;
}
