/** Requests with AWS Signature Version 4, valid and damaged. */

import { createHash, createHmac } from 'node:crypto';
import { asBytes, writeRequest } from '../../harness/raw-http.js';
import { judgeRestError, parseBody } from '../judge-response.js';
import { inHeader, inTarget, mutateText } from '../mutate-text.js';

/** @typedef {import('../random-source.js').Random} Random */

const root = '/api/auth/sigv4';
const paths = ['', '/', '/a', '/a/b/', '/a-b_c.d~e'];
const queries = ['', 'a=1', 'a=1&b=2', 'a=&b=%20c', 'A=%2F&a=1&a=2'];
const bodies = ['', 'x', '{"a": 1}', 'é'.repeat(500)];

const sha256 = (/** @type {string} */ text) => createHash('sha256').update(text).digest('hex');
const hmac = (/** @type {string | Buffer} */ key, /** @type {string} */ text) =>
  createHmac('sha256', key).update(text).digest();

/** @returns {import('../run-fuzz.js').Source} */
export function signedRequests() {
  return { name: 'sigv4', next: makeRequest };
}

/**
 * @param {Random} random
 * @returns {import('../run-fuzz.js').RequestCase}
 */
function makeRequest(random) {
  const body = random.pick(bodies);
  const method = body === '' ? random.pick(['GET', 'DELETE', 'PUT']) : random.pick(['POST', 'PUT']);
  const path = root + random.pick(paths);
  const query = random.pick(queries);
  const time = new Date().toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = `${time.slice(0, 8)}/${random.pick(['us-east-1', 'x'])}/${random.pick(['iam', 's3'])}/aws4_request`;
  /** @type {Record<string, string>} */
  const signed = { host: 'localhost', 'x-amz-content-sha256': sha256(body), 'x-amz-date': time };
  if (random.chance(30)) signed['my-header'] = random.pick(['a', 'a b', '"a"']);
  const names = Object.keys(signed).sort();
  const lines = names.map((name) => `${name}:${signed[name]}\n`).join('');
  const canonical = [method, path, query, lines, names.join(';'), sha256(body)].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  /** @type {string | Buffer} */
  let key = 'AWS4demo-sigv4-secret';
  for (const part of scope.split('/')) key = hmac(key, part);
  const signature = hmac(key, toSign).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=AKIDPRACTICE/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`;

  const damaged = random.chance(70)
    ? random.pick(['authorization', 'target', 'header', 'query'])
    : '';
  const target = `${path}${query === '' ? '' : `?${query}`}`;
  const presigned = `${root}?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDPRACTICE/${scope}&X-Amz-Date=${time}&X-Amz-Expires=60&X-Amz-SignedHeaders=host&X-Amz-Signature=${signature}`;
  const sentTarget =
    damaged === 'target'
      ? inTarget(random, root + mutateText(random, target.slice(root.length)))
      : target;
  const { host: _, ...others } = signed;
  /** @type {[string, string][]} */
  const headers = Object.entries(others).map(([name, value]) => [
    name,
    damaged === 'header' && random.chance(50) ? inHeader(mutateText(random, value)) : value,
  ]);
  headers.push([
    'Authorization',
    damaged === 'authorization' ? inHeader(mutateText(random, authorization)) : authorization,
  ]);
  const bytes =
    damaged === 'query'
      ? writeRequest(method, inTarget(random, mutateText(random, presigned)), [], asBytes(body))
      : writeRequest(method, sentTarget, headers, asBytes(body));
  return {
    kind: damaged === '' ? 'a signed request' : `a damaged ${damaged}`,
    method,
    bytes,
    judge: (response) => judgeSigned(response, damaged === ''),
  };
}

/**
 * @param {import('../../harness/raw-http.js').WireResponse} response
 * @param {boolean} isRight
 */
function judgeSigned(response, isRight) {
  const { status } = response;
  if (isRight) return status === 200 ? undefined : `a right signature gets ${status}`;
  if (status === 200) return undefined;
  const fault = judgeRestError(response);
  if (fault !== undefined) return fault;
  if (status !== 403) return status < 500 ? undefined : `status ${status}`;
  return parseBody(response).differs === undefined ? 'a 403 that names no part' : undefined;
}
