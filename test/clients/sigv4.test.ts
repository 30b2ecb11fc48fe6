import { request } from 'node:http';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Sha256 } from '@aws-crypto/sha256-js';
import { SignatureV4 } from '@smithy/signature-v4';
import { beforeAll, describe, expect, test } from 'vitest';
import { demoCredentials } from '../support/demo-credentials.js';
import { foreignProgram } from '../support/foreign-program.js';
import { useService } from '../support/service.js';

type HttpRequest = Awaited<ReturnType<SignatureV4['sign']>>;

const service = useService();

interface SignedRequest {
  readonly path: string;
  readonly service: string;
  readonly method?: string;
  readonly body?: string;
  readonly signQuery?: boolean;
}

interface Signer {
  readonly sign: (request: SignedRequest, credentials: object) => SignedRequest;
}

const require = createRequire(import.meta.url);
const aws4: Signer = require('aws4');
const path = '/api/auth/sigv4';
let key: { readonly accessKeyId: string; readonly secretAccessKey: string };
beforeAll(async () => {
  key = (await demoCredentials(service)).sigv4;
});

const curl = foreignProgram('curl');

describe.runIf(curl.isInstalled)('curl --aws-sigv4', () => {
  async function call(target: string, provider: string, ...args: string[]) {
    const user = `${key.accessKeyId}:${key.secretAccessKey}`;
    const own = ['-s', '--aws-sigv4', provider, '--user', user];
    return JSON.parse(await curl.run(...own, ...args, service.url + path + target));
  }

  const form = ['-d', 'a=b c'];
  const unsigned = ['-H', 'X-Amz-Content-Sha256: UNSIGNED-PAYLOAD'];
  test.each([
    ['a GET', '', 'aws:amz:us-east-1:execute-api', []],
    ['a path below', '/a/b', 'aws:amz:eu-west-1:lambda', []],
    ['a query', '?a=1&b=2', 'aws:amz:us-east-1:execute-api', []],
    ['a body', '', 'aws:amz:us-east-1:execute-api', form],
    ['PUT', '/a', 'aws:amz:us-east-1:execute-api', ['-X', 'PUT', ...form]],
    ['a header', '', 'aws:amz:us-east-1:execute-api', ['-H', 'X-Own:  a   b ']],
    ['a token', '', 'aws:amz:us-east-1:execute-api', ['-H', 'X-Amz-Security-Token: a/b==']],
    ['S3', '/bucket/a%20b', 'aws:amz:us-east-1:s3', unsigned],
  ])('is accepted: %s', async (_name, target, provider, args) => {
    const { authenticated, message, region } = await call(target, provider, ...args);
    expect(message).toBeUndefined();
    expect([authenticated, region]).toEqual([true, provider.split(':')[2]]);
  });

  test('learns the difference: another secret, another provider', async () => {
    const provider = 'aws:amz:us-east-1:execute-api';
    const wrong = await call('', provider, '--user', `${key.accessKeyId}:wrong`);
    expect(wrong.differs.part).toBe('Signature');
    expect((await call('', 'osc')).message).toMatch(/curl uses it with --aws-sigv4 aws:amz/);
  });
});

describe('aws4', () => {
  function send(options: SignedRequest, token?: string): Promise<string> {
    const { host } = new URL(service.url);
    const credentials = { ...key, ...(token !== undefined && { sessionToken: token }) };
    const { hostname, port } = new URL(service.url);
    const address = { hostname, port, host, region: 'us-east-1' };
    const signed = aws4.sign({ ...address, ...options }, credentials);
    return new Promise((resolve, reject) => {
      const sent = request({ ...signed, host: hostname, port }, (response) => {
        let text = `${response.statusCode} `;
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () => resolve(text));
      });
      sent.on('error', reject);
      sent.end(signed.body);
    });
  }

  test.each<[string, SignedRequest]>([
    ['a GET', { path, service: 'execute-api' }],
    ['a query', { path: `${path}/a b?x=1&a=c d&é=2`, service: 'execute-api' }],
    ['a body', { path, service: 'es', body: '{"a":1}' }],
    ['S3', { path: `${path}/buck et/é`, service: 's3' }],
    ['a PUT to S3', { path: `${path}/bucket/x`, service: 's3', method: 'PUT', body: 'abc' }],
    ['a URL of S3', { path: `${path}/bucket/x?a=1`, service: 's3', signQuery: true }],
  ])('is accepted: %s', async (_name, options) => {
    expect(await send({ ...options })).toMatch(/^200 /);
    expect(await send({ ...options }, 'to/ken==')).toMatch(/^200 /);
  });
});

describe('the signer of the AWS SDK', () => {
  type Changes = Partial<Pick<HttpRequest, 'method' | 'path' | 'query' | 'body'>>;

  function toSign(changes: Changes): HttpRequest {
    const { protocol, hostname, port, host } = new URL(service.url);
    const headers = { host, 'x-own': '  a   b ' };
    return { method: 'GET', protocol, hostname, port: Number(port), path, headers, ...changes };
  }

  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16)}`);

  async function send({ method, path: at, query = {}, headers, body }: HttpRequest) {
    const pairs = Object.entries(query).flatMap(([name, values]) =>
      [values ?? ''].flat().map((value) => `${encode(name)}=${encode(value)}`),
    );
    const target = [at, ...(pairs.length > 0 ? [pairs.join('&')] : [])].join('?');
    return service.send(`${method} ${target}`, { headers, body: body as string });
  }

  const signerOf = (name: string, credentials: object = key) =>
    new SignatureV4({
      service: name,
      region: 'eu-central-1',
      credentials: credentials as typeof key,
      sha256: Sha256,
      // S3 encodes paths once.
      uriEscapePath: name !== 's3',
      applyChecksum: true,
    });

  const requests: readonly (readonly [string, string, Changes])[] = [
    ['a GET', 'execute-api', {}],
    ['a query', 'execute-api', { query: { b: 'c d', a: ['2', '1'], é: '', "it's": '(*)!' } }],
    ['a path', 'es', { path: `${path}/a%20b/%C3%A9` }],
    ['a body', 'lambda', { method: 'POST', body: '{"a":1}' }],
    ['S3', 's3', { method: 'PUT', path: `${path}/bucket/a%20b`, body: 'abc' }],
  ];

  test.each(requests)('is accepted: %s', async (_name, name, changes) => {
    const token = { ...key, sessionToken: 'to/ken==' };
    for (const credentials of [key, token]) {
      const signed = await signerOf(name, credentials).sign(toSign(changes));
      expect((await send(signed)).json).toMatchObject({ authenticated: true, service: name });
    }
  });

  test.each(requests)('is accepted with a presigned URL: %s', async (_name, name, changes) => {
    const { body: _body, ...rest } = changes;
    const unsent = toSign(rest);
    // The SDK's own S3 client does the same.
    if (name === 's3') unsent.headers['x-amz-content-sha256'] = 'UNSIGNED-PAYLOAD';
    const signed = await signerOf(name).presign(unsent, { expiresIn: 60 });
    expect((await send(signed)).json).toMatchObject({ authenticated: true, service: name });
  });

  test('learns the difference: another method, another secret', async () => {
    const signed = await signerOf('es').sign(toSign({}));
    const changed = await send({ ...signed, method: 'DELETE' });
    expect([changed.status, changed.json.differs.part]).toEqual([403, 'method']);
    const wrong = await signerOf('es', { ...key, secretAccessKey: 'wrong' }).sign(toSign({}));
    expect((await send(wrong)).json.differs.part).toBe('Signature');
  });
});

const botocore = foreignProgram('botocore');
botocore.test('botocore is accepted, with headers and with URLs', async () => {
  const script = fileURLToPath(new URL('sigv4-botocore.py', import.meta.url));
  const url = service.url + path;
  const printed = await botocore.run(script, url, key.accessKeyId, key.secretAccessKey);
  const outcomes = Object.entries(JSON.parse(printed));
  expect(outcomes).toHaveLength(14);
  expect(outcomes.filter(([, outcome]) => outcome !== 200)).toEqual([]);
});
