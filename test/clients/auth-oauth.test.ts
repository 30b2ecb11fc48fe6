import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { demoCredentials } from '../support/demo-credentials.js';
import { useService } from '../support/service.js';

const service = useService();
/** A client whose id and secret change when they are form-url-encoded. */
const oddSecret = 'se cret+100%:&é';
const odd = useService({ oauthClient: `odd~id!:${oddSecret}` });

let clientId: string;
let clientSecret: string;
beforeAll(async () => {
  ({ clientId, clientSecret } = (await demoCredentials(service)).oauth);
});

describe('oauth4webapi', () => {
  const options = { [oauth.allowInsecureRequests]: true };

  async function discover(url: string): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(url);
    const response = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' });
    return oauth.processDiscoveryResponse(issuer, response);
  }

  test.each([
    ['Basic', oauth.ClientSecretBasic],
    ['the form', oauth.ClientSecretPost],
  ])(
    'discovers, gets a token, uses, introspects and revokes it, by %s',
    async (_name, authenticate) => {
      const server = await discover(service.url);
      const client = { client_id: clientId };
      const auth = authenticate(clientSecret);
      const parameters = new URLSearchParams({ scope: 'read email' });
      const token = await oauth.processClientCredentialsResponse(
        server,
        client,
        await oauth.clientCredentialsGrantRequest(server, client, auth, parameters, options),
      );
      expect(token).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'read email' });

      const resource = new URL(`${service.url}/api/auth/oauth/protected`);
      const use = () =>
        oauth.protectedResourceRequest(
          token.access_token,
          'GET',
          resource,
          undefined,
          undefined,
          options,
        );
      expect(await (await use()).json()).toMatchObject({ client_id: clientId });

      const introspect = async () =>
        oauth.processIntrospectionResponse(
          server,
          client,
          await oauth.introspectionRequest(server, client, auth, token.access_token, options),
        );
      expect(await introspect()).toMatchObject({
        active: true,
        client_id: clientId,
        iss: service.url,
      });

      const revoked = await oauth.revocationRequest(
        server,
        client,
        auth,
        token.access_token,
        options,
      );
      expect(await oauth.processRevocationResponse(revoked)).toBeUndefined();
      expect(await introspect()).toEqual({ active: false });
      await expect(use()).rejects.toMatchObject({
        status: 401,
        cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
      });
    },
  );

  test('encodes an odd client id and secret as RFC 6749 requires, and is accepted', async () => {
    const server = await discover(odd.url);
    const client = { client_id: 'odd~id!' };
    for (const auth of [oauth.ClientSecretBasic(oddSecret), oauth.ClientSecretPost(oddSecret)]) {
      const response = await oauth.clientCredentialsGrantRequest(server, client, auth, {}, options);
      const token = await oauth.processClientCredentialsResponse(server, client, response);
      expect(token.access_token).toMatch(/^oat_/);
    }
  });

  test('reads the errors: the code, the description and the challenge', async () => {
    const server = await discover(service.url);
    const client = { client_id: clientId };
    const attempt = async (secret: string, parameters: Record<string, string>) =>
      oauth.processClientCredentialsResponse(
        server,
        client,
        await oauth.clientCredentialsGrantRequest(
          ...([server, client, oauth.ClientSecretBasic(secret), parameters, options] as const),
        ),
      );
    await expect(attempt(clientSecret, { scope: 'admin' })).rejects.toMatchObject({
      status: 400,
      error: 'invalid_scope',
      error_description: expect.stringContaining('read, write'),
    });
    await expect(attempt('x', {})).rejects.toMatchObject({
      status: 401,
      cause: [{ scheme: 'basic', parameters: { realm: 'Practice API', charset: 'UTF-8' } }],
    });
  });
});

describe('openid-client', () => {
  test('discovers, gets a token, uses, introspects and revokes it', async () => {
    const config = await openid.discovery(new URL(service.url), clientId, clientSecret, undefined, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    });
    expect(config.serverMetadata().token_endpoint).toBe(`${service.url}/api/auth/oauth/token`);

    const token = await openid.clientCredentialsGrant(config, { scope: 'profile' });
    expect(token).toMatchObject({ token_type: 'bearer', scope: 'profile' });
    expect(token.expiresIn()).toBeGreaterThan(3590);

    const resource = new URL(`${service.url}/api/auth/oauth/protected`);
    const response = await openid.fetchProtectedResource(
      config,
      token.access_token,
      resource,
      'GET',
    );
    expect(await response.json()).toMatchObject({ client_id: clientId, scope: 'profile' });

    expect(await openid.tokenIntrospection(config, token.access_token)).toMatchObject({
      active: true,
    });
    await openid.tokenRevocation(config, token.access_token);
    expect(await openid.tokenIntrospection(config, token.access_token)).toEqual({ active: false });
  });

  test('authenticates by Basic as well', async () => {
    const config = await openid.discovery(
      ...([new URL(odd.url), 'odd~id!', undefined, openid.ClientSecretBasic(oddSecret)] as const),
      { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
    );
    expect((await openid.clientCredentialsGrant(config)).scope).toBe('read write profile email');
  });
});
