/** The MCP server behind OAuth. */

import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { callTool, type MessageOptions, request } from './mcp.js';

const service = useService();
const { send } = service;

const sandbox = '/s/guarded';
const path = `${sandbox}/mcp/protected`;

/** Registers a client without credentials, and logs a user in for it. */
async function tokenFor(parameters: Readonly<Record<string, string>>): Promise<string> {
  const redirect_uri = 'http://127.0.0.1:8976/callback';
  const registered = await send(`POST ${sandbox}/oidc/register`, {
    json: {
      redirect_uris: [redirect_uri],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      scope: 'mcp:read mcp:write',
    },
  });
  expect(registered.status).toBe(201);
  expect(registered.json).toMatchObject({
    application_type: 'native',
    scope: 'mcp:read mcp:write',
  });
  const { client_id } = registered.json;
  const verifier = 'v'.repeat(43);
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(verifier));
  const query = new URLSearchParams({
    client_id,
    redirect_uri,
    response_type: 'code',
    auto: 'ada',
    code_challenge: Buffer.from(digest).toString('base64url'),
    code_challenge_method: 'S256',
    ...parameters,
  });
  const { headers } = await send(`GET ${sandbox}/oidc/authorize?${query}`);
  const code = new URL(String(headers.location)).searchParams.get('code');
  const { resource } = parameters;
  const form = { grant_type: 'authorization_code', code: String(code), client_id, redirect_uri };
  const body = new URLSearchParams({
    ...form,
    code_verifier: verifier,
    ...(resource !== undefined && { resource }),
  });
  const granted = await send(`POST ${sandbox}/oidc/token`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(body),
  });
  expect(granted.status).toBe(200);
  return granted.json.access_token;
}

const bearer = (token: string): MessageOptions => ({
  path,
  headers: { authorization: `Bearer ${token}` },
});

test('without a token, the challenge leads to the issuer', async () => {
  const { status, headers } = await request(service, 'tools/list', {}, { path });
  expect(status).toBe(401);
  const [, metadata = ''] =
    /^Bearer resource_metadata="(.+?)", scope="mcp:read"$/.exec(
      String(headers['www-authenticate']),
    ) ?? [];
  const { json } = await send(`GET ${new URL(metadata).pathname}`);
  expect(json).toMatchObject({
    resource: `${service.url}${path}`,
    authorization_servers: [`${service.url}${sandbox}/oidc`],
    scopes_supported: ['mcp:read', 'mcp:write'],
  });
});

describe('a token', () => {
  const resource = () => `${service.url}${path}`;

  test('without a requested scope may read, and writing needs a step up', async () => {
    const token = await tokenFor({ resource: resource() });
    const read = await callTool(
      service,
      'get_record',
      { collection: 'books', id: 1 },
      bearer(token),
    );
    expect(read.structuredContent.record.id).toBe(1);
    const params = { name: 'delete_record', arguments: { collection: 'books', id: 1 } };
    const write = await request(service, 'tools/call', params, bearer(token));
    expect(write.status).toBe(403);
    expect(write.headers['www-authenticate']).toContain(
      'error="insufficient_scope", scope="mcp:read mcp:write", resource_metadata="',
    );
    const stronger = await tokenFor({ resource: resource(), scope: 'mcp:write' });
    expect((await request(service, 'tools/call', params, bearer(stronger))).status).toBe(200);
    expect((await request(service, 'tools/list', {}, bearer(stronger))).status).toBe(200);
  });

  test.each<[string, () => Record<string, string>]>([
    ['for no resource', () => ({ scope: 'mcp:read' })],
    [
      'for another resource',
      () => ({ scope: 'mcp:read', resource: `${service.url}${sandbox}/oidc/api` }),
    ],
  ])('%s is rejected', async (_what, parameters) => {
    const token = await tokenFor(parameters());
    const { status, headers } = await request(service, 'tools/list', {}, bearer(token));
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
  });

  test('in the query is rejected', async () => {
    const token = await tokenFor({ resource: resource() });
    const { status } = await request(
      service,
      'tools/list',
      {},
      { path: `${path}?access_token=${token}` },
    );
    expect(status).toBe(401);
  });

  test('of another sandbox is rejected', async () => {
    const token = await tokenFor({ resource: resource() });
    const options = { ...bearer(token), path: '/s/elsewhere/mcp/protected' };
    expect((await request(service, 'tools/list', {}, options)).status).toBe(401);
  });

  test('that has expired is rejected', async () => {
    const token = await tokenFor({ resource: resource() });
    await send(`PUT ${sandbox}/api/sandbox/clock`, { json: { offsetSeconds: 86_400 } });
    expect((await request(service, 'tools/list', {}, bearer(token))).status).toBe(401);
    await send(`PUT ${sandbox}/api/sandbox/clock`, { json: { offsetSeconds: 0 } });
  });
});
