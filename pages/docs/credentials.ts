/** Credentials of the schemes, filled in from `GET /api/auth`, so that every operation works. */

import { lazily } from '../../src/base/lazily.js';
import { addressOf, isAccountAddress } from '../shared/address-of.js';
import { call, callJson } from '../shared/call.js';
import { keyToSend } from '../shared/visitor/service-key.js';
import {
  type Description,
  type ListedOperation,
  resolved,
  type SecurityScheme,
} from './description.js';
import type { Credential } from './form/request-of.js';

interface Login {
  readonly username: string;
  readonly password: string;
}

/** Present if the service has the scheme. */
interface Published {
  readonly basic?: Login;
  readonly digest?: Login;
  readonly apiKey?: string;
  readonly bearer?: { readonly admin: string };
  readonly jwt?: readonly Login[];
  readonly oauth?: { readonly clientId: string; readonly clientSecret: string };
  readonly llm?: { readonly openai: string; readonly anthropic: string; readonly gemini: string };
  readonly oidc?: {
    readonly clients: readonly { readonly clientId: string; readonly clientSecret?: string }[];
  };
}

/** Inputs of a scheme; none if a page cannot send its credentials. */
export type CredentialInput = 'username' | 'password' | 'token' | 'key';

/** Text of each input of a scheme. */
export type Filled = Partial<Record<CredentialInput, string>>;

export function inputsOf(
  name: string,
  { type, scheme, in: place }: SecurityScheme,
): CredentialInput[] {
  if (scheme === 'basic' || scheme === 'digest') return ['username', 'password'];
  if (scheme === 'bearer' || type === 'oauth2') return ['token'];
  // Computed by a client, chosen by the browser, or set as a cookie that scripts cannot read.
  const isOwn = /^(?:sigv4|messageSignature|session|serviceKey)$/.test(name);
  return type === 'apiKey' && place !== undefined && !isOwn ? ['key'] : [];
}

/** Returns `undefined` if nothing is entered. */
export function credentialOf(scheme: SecurityScheme, filled: Filled): Credential | undefined {
  const { username = '', password = '', token = '', key = '' } = filled;
  if (scheme.scheme === 'basic' || scheme.scheme === 'digest') {
    const kind = scheme.scheme;
    return username === '' ? undefined : { kind, username, password };
  }
  if (token !== '') return { kind: 'bearer', token };
  const place = scheme.in as 'header' | 'query' | 'cookie';
  return key === '' ? undefined : { kind: 'apiKey', in: place, name: scheme.name ?? '', key };
}

/** Returns what to fill in for a scheme of an operation. */
export async function filledIn(
  description: Description,
  operation: ListedOperation,
  scheme: string,
): Promise<Filled> {
  if (/^path(?:Basic|User|Digest)$/.test(scheme)) return loginInPath(description, operation);
  const all = await published();
  const { basic, digest, apiKey, bearer, jwt: [first] = [], oauth, oidc, llm } = all;
  const client = oidc?.clients.find(({ clientSecret }) => clientSecret !== undefined);
  const known: Readonly<Record<string, () => Filled | undefined | Promise<Filled | undefined>>> = {
    basic: () => basic,
    digest: () => digest,
    apiKeyHeader: () => ({ key: apiKey ?? '' }),
    apiKeyQuery: () => ({ key: apiKey ?? '' }),
    apiKeyCookie: () => ({ key: apiKey ?? '' }),
    bearer: () => ({ token: bearer?.admin ?? '' }),
    anyBearer: () => ({ token: bearer?.admin ?? '' }),
    openaiKey: () => ({ token: llm?.openai ?? '' }),
    apiKeyAnthropic: () => ({ key: llm?.anthropic ?? '' }),
    apiKeyGoogle: () => ({ key: llm?.gemini ?? '' }),
    jwt: () => first && jwtOf(first),
    oauth: () => oauth && tokenOf(oauth.clientId, oauth.clientSecret),
    oauthClient: () => oauth && { username: oauth.clientId, password: oauth.clientSecret },
    oidcClient: () => client && { username: client.clientId, password: client.clientSecret ?? '' },
  };
  return (await known[scheme]?.()) ?? {};
}

/** None if an account is required and this browser has none. */
const published = lazily(async (): Promise<Published> => {
  try {
    return (await callJson<{ readonly credentials: Published }>(addressOf('/api/auth')))
      .credentials;
  } catch (error) {
    if (keyToSend() === undefined && !isAccountAddress()) return {};
    throw error;
  }
});

/** Returns the login that the path contains, from the examples of its parameters. */
function loginInPath(description: Description, { parameters = [] }: ListedOperation): Filled {
  const named = parameters
    .map((parameter) => resolved(description, parameter))
    .filter((parameter) => parameter?.in === 'path' && parameter.name !== 'qop');
  // A path without a password means an empty one.
  const [username = '', password = ''] = named.map((each) => String(each?.example));
  return { username, password };
}

const jwtOf = async (login: Login): Promise<Filled> => {
  const address = addressOf('/api/auth/jwt/login');
  return {
    token: (await callJson<{ readonly accessToken: string }>(address, 'POST', login)).accessToken,
  };
};

async function tokenOf(id: string, secret: string): Promise<Filled> {
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  const response = await call(addressOf('/api/auth/oauth/token'), {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  return { token: ((await response.json()) as { readonly access_token: string }).access_token };
}
