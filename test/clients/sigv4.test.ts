import { request } from 'node:http';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { demoCredentials } from '../support/demo-credentials.js';
import { foreignProgram } from '../support/foreign-program.js';
import { useService } from '../support/service.js';

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

describe.runIf(curl.isThere)('curl --aws-sigv4', () => {
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
  ])('is let in: %s', async (_name, target, provider, args) => {
    const { authenticated, message, region } = await call(target, provider, ...args);
    expect(message).toBeUndefined();
    expect([authenticated, region]).toEqual([true, provider.split(':')[2]]);
  });

  test('learns what differs: another secret, another provider', async () => {
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
  ])('is let in: %s', async (_name, options) => {
    expect(await send({ ...options })).toMatch(/^200 /);
    expect(await send({ ...options }, 'to/ken==')).toMatch(/^200 /);
  });
});

const botocore = foreignProgram('botocore');
botocore.test('botocore is let in, by headers and by URLs', async () => {
  const script = fileURLToPath(new URL('sigv4-botocore.py', import.meta.url));
  const url = service.url + path;
  const printed = await botocore.run(script, url, key.accessKeyId, key.secretAccessKey);
  const outcomes = Object.entries(JSON.parse(printed));
  expect(outcomes).toHaveLength(14);
  expect(outcomes.filter(([, outcome]) => outcome !== 200)).toEqual([]);
});
