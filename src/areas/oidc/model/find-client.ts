/** The clients of a sandbox: its settings, the demo clients, and registered clients. */

import type { Sandbox, Space } from '#state/state.js';
import { type Client, deviceGrant, exchangeGrant, jwtBearerGrant, withSecret } from './client.js';
import { findDocumented } from './client-documents.js';
import { clientOf } from './configured-client.js';
import { settingsOf } from './issuer-settings.js';

export interface RegisteredClient extends Client {
  readonly issuedAtMs: number;
  /** The hash of its registration access token (RFC 7592). */
  readonly managedBy: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const maxRegistered = 100;

export const registeredClients: Space<RegisteredClient> = {
  name: 'oidc-clients',
  maxKeys: maxRegistered,
  isKeptWhenFull: true,
  fullMessage: `This sandbox has ${maxRegistered} registered clients, the maximum. Delete one, or reset the sandbox.`,
};

export async function findClient(sandbox: Sandbox, clientId: string): Promise<Client | undefined> {
  const { clients, clientDocuments = {} } = await settingsOf(sandbox);
  const own = clients.find((client) => client.clientId === clientId);
  if (own !== undefined) return clientOf(own);
  return (
    findDocumented(clientDocuments, clientId) ??
    readyClients.find((client) => client.clientId === clientId) ??
    (await sandbox.read(registeredClients, clientId))
  );
}

interface ReadyClient extends Client {
  readonly kind: 'web' | 'spa' | 'native' | 'service' | 'device';
}

/** Any port of this machine (RFC 8252 section 7.3). */
const loopback = [
  'http://localhost/callback',
  'http://127.0.0.1/callback',
  'http://[::1]/callback',
] as const;
const loopbackRoots = loopback.map((uri) => uri.replace('callback', ''));

/** The certificate /tls/client/good.pem also authenticates a demo client. */
const withCertificate = {
  authMethods: [...withSecret, 'tls_client_auth'],
  certificate: { by: 'tls_client_auth_subject_dn', name: 'CN=good client' },
} as const;

const usual = {
  postLogoutRedirectUris: loopbackRoots,
  grantTypes: ['authorization_code', 'refresh_token'],
  idTokenAlg: 'RS256',
} as const;

export const readyClients: readonly ReadyClient[] = [
  {
    ...usual,
    kind: 'web',
    clientId: 'demo-web',
    name: 'Demo web application',
    secret: 'demo-web-secret-of-32-characters',
    redirectUris: [...loopback, 'https://client.example/callback'],
    ...withCertificate,
    accessToken: 'jwt',
  },
  {
    ...usual,
    kind: 'spa',
    clientId: 'demo-spa',
    name: 'Demo single-page application',
    redirectUris: [...loopback, 'https://spa.example/callback'],
    authMethods: ['none'],
    accessToken: 'opaque',
  },
  {
    ...usual,
    kind: 'native',
    clientId: 'demo-native',
    name: 'Demo native application',
    redirectUris: [...loopback, 'com.example.demo:/callback'],
    authMethods: ['none'],
    accessToken: 'jwt',
  },
  {
    kind: 'service',
    clientId: 'demo-service',
    name: 'Demo service',
    secret: 'demo-service-secret-of-32-letters',
    redirectUris: [],
    postLogoutRedirectUris: [],
    grantTypes: ['client_credentials', exchangeGrant, jwtBearerGrant],
    idTokenAlg: 'RS256',
    ...withCertificate,
    accessToken: 'jwt',
  },
  {
    ...usual,
    kind: 'device',
    clientId: 'demo-device',
    name: 'Demo device',
    redirectUris: [],
    postLogoutRedirectUris: [],
    grantTypes: [deviceGrant, 'refresh_token'],
    authMethods: ['none'],
    accessToken: 'opaque',
  },
];

export function describeReadyClients() {
  return readyClients.map(({ kind, clientId, secret, redirectUris, accessToken }) => ({
    kind,
    clientId,
    clientSecret: secret,
    redirectUris,
    accessToken,
  }));
}
