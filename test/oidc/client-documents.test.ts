/** Client ID metadata documents, which the sandbox stores. */

import { describe, expect, test } from 'vitest';
import { challenge, responseIn, verifier } from '../support/oidc.js';
import { useService } from '../support/service.js';

const { send } = useService();

const url = 'https://client.example/mcp.json';
const document = {
  client_id: url,
  client_name: 'A client with a document',
  redirect_uris: ['http://127.0.0.1/callback', 'https://client.example/callback'],
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  application_type: 'native',
  scope: 'openid mcp:read',
  software_statement: 'a member that is ignored',
};

const store = (sandbox: string, clientDocuments: object) =>
  send(`PUT /s/${sandbox}/api/sandbox/oidc`, { json: { clientDocuments } });

const authorize = (sandbox: string, redirect_uri: string, client_id = url) => {
  const query = new URLSearchParams({
    ...{ client_id, redirect_uri, response_type: 'code', auto: 'ada' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
  });
  return send(`GET /s/${sandbox}/oidc/authorize?${query}`);
};

const redeem = (sandbox: string, code: string, redirect_uri: string) =>
  send(`POST /s/${sandbox}/oidc/token`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', client_id: url },
      ...{ code, redirect_uri, code_verifier: verifier },
    }).toString(),
  });

test('a client of a stored document logs in, with the default scope and any loopback port', async () => {
  const { status, json } = await store('documents', { [url]: document });
  expect(status).toBe(200);
  expect(json.clientDocuments).toEqual({ [url]: document });
  for (const redirect of ['http://127.0.0.1:5123/callback', 'https://client.example/callback']) {
    const code = responseIn(await authorize('documents', redirect)).get('code') ?? '';
    const granted = await redeem('documents', code, redirect);
    expect(granted.status).toBe(200);
    expect(granted.json.scope).toBe('mcp:read');
  }
  const foreign = await authorize('documents', 'https://client.example:8443/callback');
  expect(foreign.status).toBe(400);
});

test('an unknown document is not fetched, and the message says how to store it', async () => {
  const { status, json } = await authorize('no-documents', 'http://127.0.0.1/callback');
  expect(status).toBe(400);
  expect(json.message).toContain('PUT /api/sandbox/oidc {"clientDocuments": {"https://client.');
  const other = await authorize('no-documents', 'http://127.0.0.1/callback', 'unknown');
  expect(other.json.message).not.toContain('clientDocuments');
});

test('a document without client_name is not stored, and its client gets no code', async () => {
  const { client_name: _, ...nameless } = document;
  const { status, json } = await store('nameless', { [url]: nameless });
  expect(status).toBe(400);
  expect(json.message).toContain('must have client_name.');
  const response = await authorize('nameless', 'http://127.0.0.1/callback');
  expect(response.status).toBe(400);
  expect(response.headers.location).toBeUndefined();
});

test('the metadata of the issuer declares documents', async () => {
  const { json } = await send('GET /s/documents/oidc/.well-known/openid-configuration');
  expect(json.client_id_metadata_document_supported).toBe(true);
});

describe('rejected with 400 and the place is a document', () => {
  test.each<[string, object, string]>([
    ['of another client_id', { client_id: `${url}x` }, 'client_id that is its URL'],
    ['without client_id', { client_id: undefined }, 'must have client_id.'],
    ['without client_name', { client_name: undefined }, 'must have client_name.'],
    ['with an empty client_name', { client_name: '' }, 'must have client_name.'],
    ['with a number as client_name', { client_name: 5 }, 'client_name'],
    [
      'without names and redirect addresses',
      { client_name: null, redirect_uris: undefined },
      'must have client_name, redirect_uris.',
    ],
    ['with a secret', { client_secret: 'a' }, 'must not have client_secret'],
    [
      'with a time for a secret',
      { client_secret_expires_at: 0 },
      'must not have client_secret_expires_at',
    ],
    [
      'with a method that needs a secret',
      { token_endpoint_auth_method: 'client_secret_basic' },
      'none or private_key_jwt',
    ],
    [
      'with plain http on another machine',
      { redirect_uris: ['http://a.example/'] },
      'redirect_uris',
    ],
    ['with a fragment', { redirect_uris: ['https://a.example/#a'] }, 'redirect_uris'],
    ['with a script', { redirect_uris: ['javascript:alert(1)'] }, 'redirect_uris'],
    ['without redirect addresses', { redirect_uris: [] }, 'must have redirect_uris.'],
    [
      'with redirect addresses of another type',
      { redirect_uris: 'https://a.example' },
      'redirect_uris',
    ],
    ['with an unknown grant', { grant_types: ['password'] }, 'grant_types'],
    ['with keys that are missing', { token_endpoint_auth_method: 'private_key_jwt' }, 'needs jwks'],
  ])('%s', async (_what, change, message) => {
    const { status, json } = await store('wrong-documents', { [url]: { ...document, ...change } });
    expect(status).toBe(400);
    expect(json.errors[0].field).toBe(`clientDocuments.${url}`);
    expect(json.message).toContain(message);
  });

  test.each([
    'http://client.example/mcp.json',
    'https://client.example',
    'https://client.example/',
    'https://client.example/a#b',
    'https://ada@client.example/a',
    'https://client.example/a/../b',
    'https://client.example/a/%2e/b',
    'client',
  ])('at %s', async (address) => {
    const given = { [address]: { ...document, client_id: address } };
    const { status, json } = await store('wrong-documents', given);
    expect(status).toBe(400);
    expect(json.message).toContain('must be an https URL with a path');
  });

  test.each([
    ['a list', []],
    ['a text', { [url]: 'a' }],
    [
      'too many',
      Object.fromEntries([...Array(21).keys()].map((each) => [`https://a/${each}`, {}])),
    ],
  ])('%s instead of documents', async (_what, given) => {
    expect((await store('wrong-documents', given)).status).toBe(400);
  });
});
