import * as oauth from 'oauth4webapi';
import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();
const insecure = { [oauth.allowInsecureRequests]: true };
const wellKnown = '/.well-known/oauth-protected-resource';

const resources = ['/oidc/api/me', '/oidc/api/orders', '/mcp/protected'];
const prefixes = ['', '/s/exact'];
const all = prefixes.flatMap((prefix) => resources.map((path) => prefix + path));
const documents = [...all, ...prefixes.map((prefix) => `${prefix}/oidc/api`)];
const others = (path: string) => {
  const end = path.lastIndexOf('/') + 1;
  const letter = `%${path.charCodeAt(end).toString(16)}`;
  return [
    `${path}/`,
    path.slice(0, end) + path.slice(end).toUpperCase(),
    path.slice(0, end) + letter + path.slice(end + 1),
  ];
};

describe('metadata of a protected resource', () => {
  test.each(documents)('at %s is accepted by oauth4webapi', async (path) => {
    const resource = new URL(service.url + path);
    const response = await oauth.resourceDiscoveryRequest(resource, insecure);
    const found = await oauth.processResourceDiscoveryResponse(resource, response);
    expect(found.resource).toBe(resource.href);
  });

  test.each(documents.flatMap(others))('is not at %s', async (path) => {
    const resource = new URL(service.url + path);
    const { status } = await oauth.resourceDiscoveryRequest(resource, insecure);
    expect(status).toBe(404);
    const { json } = await service.send(`GET ${wellKnown}${path}`);
    expect(json.message).toMatch(/Did you mean \/\.well-known\//);
  });

  test('is suggested where it is', async () => {
    const { json } = await service.send(`GET ${wellKnown}/s/exact/OIDC/api/me`);
    expect(json.message).toContain(`Did you mean ${wellKnown}/s/exact/oidc/api/me?`);
    const inside = await service.send(`GET /s/exact${wellKnown}/oidc/api/me`);
    expect(inside.json.resource).toBe(`${service.url}/s/exact/oidc/api/me`);
  });
});

describe('a protected resource', () => {
  test.each(all.flatMap((path) => others(path).map((other) => [other, path])))(
    'at %s redirects to the URL in its metadata',
    async (other, path) => {
      for (const method of ['GET', 'POST']) {
        if (method === 'POST' && !path.endsWith('protected')) continue;
        const { status, headers } = await service.send(`${method} ${other}?a=1`);
        expect(status).toBe(308);
        expect(headers.location).toBe(`${service.url}${path}?a=1`);
        const { href } = new URL(String(headers.location));
        const followed = await service.send(`${method} ${href.slice(service.url.length)}`);
        expect(followed.status).toBe(401);
        const challenge = String(followed.headers['www-authenticate']);
        const [, document = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
        const { json } = await service.send(`GET ${document.slice(service.url.length)}`);
        expect(json.resource).toBe(service.url + path);
      }
    },
  );
});

describe('metadata of an issuer', () => {
  const metadata = '/.well-known/oauth-authorization-server';
  test.each([
    '/OIDC/.well-known/openid-configuration',
    '/oidc/.well-known/openid-configuration/',
    `${metadata}/OIDC`,
    `${metadata}/oidc/`,
    `${metadata}/S/exact/oidc`,
    '/s/exact/oidc/.well-known/OpenID-configuration',
  ])('is not at %s', async (path) => {
    const { status, json } = await service.send(`GET ${path}`);
    expect(status).toBe(404);
    expect(json.message ?? json.error_description).toContain('Did you mean /');
  });

  test.each([
    '/oidc/.well-known/openid-configuration',
    `${metadata}/oidc`,
    `${metadata}/s/exact/oidc`,
    `/s/exact${metadata}/oidc`,
  ])('is at %s', async (path) => {
    expect((await service.send(`GET ${path}`)).json.issuer).toMatch(/\/oidc$/);
  });
});
