import {
  createHash,
  createPrivateKey,
  type KeyObject,
  randomUUID,
  sign as signBytes,
} from 'node:crypto';
import { createSigner, httpbis } from 'http-message-signatures';
import { expect, test } from 'vitest';
import { rfcKeys } from '../../src/areas/signatures/keys/rfc-keys.js';
import { useService } from '../support/service.js';
import { jwkOf, secret } from './rfc-secrets.js';

const service = useService();
const path = '/api/auth/signature';

type Fields = Record<string, string>;
interface Signing {
  readonly keyid?: string;
  readonly fields?: string[];
  readonly values?: Record<string, unknown>;
  readonly params?: string[];
  readonly body?: string;
  readonly headers?: Fields;
  readonly target?: string;
}

async function signedHeaders({
  keyid = 'test-key-ed25519',
  body,
  fields = ['@method', '@target-uri', ...(body === undefined ? [] : ['content-digest'])],
  values = {},
  params = ['created', 'keyid', ...Object.keys(values).filter((name) => name !== 'created')],
  headers = {},
  target = path,
}: Signing): Promise<Fields> {
  const { alg = '' } = rfcKeys.find((key) => key.keyid === keyid) ?? {};
  const key =
    alg === 'hmac-sha256' ? secret : createPrivateKey({ key: jwkOf(keyid), format: 'jwk' });
  const digest = body && createHash('sha256').update(body).digest('base64');
  const request = {
    method: body === undefined ? 'GET' : 'POST',
    url: service.url + target,
    headers: { ...headers, ...(digest && { 'content-digest': `sha-256=:${digest}:` }) },
  };
  const signer = createSigner(key as never, alg as never, keyid);
  // The library's salt has the maximum length; RFC 9421 section 3.3.1 requires 64 bytes.
  const pss = async (data: Buffer) =>
    signBytes('sha512', data, { key: key as KeyObject, padding: 6, saltLength: 64 });
  const right = alg === 'rsa-pss-sha512' ? { ...signer, sign: pss } : signer;
  const signing = { key: right, fields, params };
  const signed = await httpbis.signMessage({ ...signing, paramValues: values as never }, request);
  return signed.headers as Fields;
}

async function call(signing: Signing, changes: Fields = {}) {
  const { body, target = path } = signing;
  const headers = { ...(await signedHeaders(signing)), ...changes };
  const method = body === undefined ? 'GET' : 'POST';
  return service.send(`${method} ${target}`, { headers, ...(body !== undefined && { body }) });
}

test.each(rfcKeys)('accepts $keyid, with and without a body', async ({ keyid, alg }) => {
  const bare = await call({ keyid });
  expect(bare.json).toMatchObject({ authenticated: true, keyid, algorithm: alg });
  expect(bare.json.signatureBase[0]).toBe('"@method": GET');
  const posted = await call({ keyid, body: '{"a":1}' });
  expect(posted.json).toMatchObject({ authenticated: true, label: 'sig' });
});

test('a sandbox in the URL is part of the signed components', async () => {
  const target = `/s/signed${path}?a=b`;
  const response = await call({ target });
  expect(response.json.signatureBase[1]).toBe(`"@target-uri": ${service.url}${target}`);
  const parts = { target, fields: ['@method', '@authority', '@path', '@query'] };
  expect((await call(parts)).status).toBe(200);
});

test('without a signature the response says which one is required', async () => {
  const { status, headers, json } = await service.send(`POST ${path}`, { body: 'x' });
  expect(status).toBe(401);
  expect(headers['accept-signature']).toBe(
    'sig=("@method" "@target-uri" "content-digest");created;tag="practice-api"',
  );
  expect(headers['www-authenticate']).toBe('Signature realm="Practice API"');
  expect(json.differs).toEqual({
    part: 'signature-input',
    message: 'The message has no Signature-Input.',
  });
});

const at = (seconds: number) => new Date(Date.now() + seconds * 1000);
test.each<[name: string, signing: Signing, changes: Fields, part: string]>([
  ['no method', { fields: ['@target-uri'] }, {}, '"@method"'],
  ['no target', { fields: ['@method', '@path'] }, {}, '"@target-uri"'],
  ['no digest', { body: 'x', fields: ['@method', '@target-uri'] }, {}, '"content-digest"'],
  ['another digest', { body: 'x' }, { 'content-digest': 'sha-256=:AAAA:' }, 'content-digest'],
  [
    'only a digest of an unknown algorithm',
    { body: 'x' },
    { 'content-digest': 'md5=:AAAA:' },
    'content-digest',
  ],
  ['no time', { params: ['keyid'] }, {}, 'created'],
  ['an old time', { values: { created: at(-400) } }, {}, 'created'],
  ['a future time', { values: { created: at(400) } }, {}, 'created'],
  ['a past expiry', { values: { expires: at(-1) } }, {}, 'expires'],
  ['the tag of another application', { values: { tag: 'other' } }, {}, 'tag'],
  ['a wrong value', {}, { Signature: 'sig=:AAAA:' }, 'signature'],
])('a signature with %s is rejected there', async (_name, signing, changes, part) => {
  const { status, json } = await call(signing, changes);
  expect(status).toBe(401);
  expect(json.differs.part).toBe(part);
  expect(json.message).toContain(`${part}: `);
});

test('a nonce is valid once, also for concurrent requests', async () => {
  const headers = await signedHeaders({ values: { nonce: randomUUID(), tag: 'practice-api' } });
  const sent = Array.from({ length: 5 }, () => service.send(`GET ${path}`, { headers }));
  const responses = await Promise.all(sent);
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  const rejected = responses.find(({ status }) => status === 401);
  expect(rejected?.json.differs.part).toBe('nonce');
  expect((await call({})).status).toBe(200);
});

test('an invalid signature does not use up a nonce', async () => {
  const nonce = randomUUID();
  expect((await call({ values: { nonce } }, { Signature: 'sig=:AAAA:' })).status).toBe(401);
  expect((await call({ values: { nonce } })).status).toBe(200);
});

test('the response is signed as the client requests, with parts of its request', async () => {
  const headers = await signedHeaders({ body: 'x' });
  const wanted =
    'answer=("@status" "content-digest" "content-type" "@method";req "@target-uri";req "signature";req;key="sig");created;keyid="test-key-ecc-p256";nonce="n";tag="app"';
  const response = await service.send(`POST ${path}`, {
    headers: { ...headers, 'Accept-Signature': wanted },
    body: 'x',
  });
  expect(response.status).toBe(200);
  const input = String(response.headers['signature-input']);
  expect(input).toMatch(
    /^answer=\("@status".*\);created=\d+;keyid="test-key-ecc-p256";nonce="n";tag="app"$/,
  );
  const key = createPrivateKey({ key: jwkOf('test-key-ecc-p256'), format: 'jwk' });
  const { createVerifier } = await import('http-message-signatures');
  const isRight = await httpbis.verifyMessage(
    {
      keyLookup: async () => ({
        id: 'test-key-ecc-p256',
        algs: ['ecdsa-p256-sha256'],
        verify: createVerifier(key as never, 'ecdsa-p256-sha256'),
      }),
    },
    { status: 200, headers: response.headers as Fields },
    { method: 'POST', url: service.url + path, headers },
  );
  expect(isRight).toBe(true);
  const digest = createHash('sha256').update(response.bytes).digest('base64');
  expect(response.headers['content-digest']).toBe(`sha-256=:${digest}:`);
});

test.each([
  ['no dictionary', '("@status")'],
  ['an invalid list', 'sig=1'],
  ['a component that a response lacks', 'sig=("@method")'],
  ['an unknown key', 'sig=("@status");keyid="mine"'],
  ['an algorithm of another key', 'sig=("@status");alg="hmac-sha256"'],
  ['too many', 'a=(), b=(), c=(), d=()'],
  ['a nonce that is a number', 'sig=("@status");nonce=1'],
  ['giant parameters', `sig=("@status");nonce="${'n'.repeat(3000)}"`],
])('Accept-Signature with %s is rejected', async (_name, wanted) => {
  const { status, json } = await call({}, { 'Accept-Signature': wanted });
  expect(status).toBe(400);
  expect(json.message).toMatch(/^Accept-Signature cannot be met: /);
});

test('the keys are listed with their private halves', async () => {
  const { keys } = (await service.send(`GET ${path}/keys`)).json;
  expect(keys).toEqual(rfcKeys);
  const { credentials } = (await service.send('GET /api/auth')).json;
  expect(credentials.signature.keys).toEqual(
    keys.map(({ keyid, alg }: Fields) => ({ keyid, alg })),
  );
});
