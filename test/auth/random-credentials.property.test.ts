/**
 * Random and mutated credentials: only documented statuses, never 500; and in the deep run, no
 * response slower than 50 ms.
 */

import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Random, randomSource } from '../../lab/fuzz/random-source.js';
import { authenticateByDigest } from '../support/authenticate-by-digest.js';
import { caseCount, isDeep, patientlyTried, seed } from '../support/case-count.js';
import { basicHeader, demoCredentials } from '../support/demo-credentials.js';
import {
  type BareRequest,
  type BareResponse,
  type KeepAliveClient,
  keepAliveClient,
} from '../support/keep-alive-client.js';
import { useService } from '../support/service.js';

const requestCount = caseCount(2000);
const connections = 8;
const slowMs = 50;

const service = useService();

const documented: Record<string, readonly number[]> = {
  'GET /api/auth/basic': [200, 400, 401],
  'GET /api/auth/basic/Ada/secret': [200, 400, 401],
  'GET /api/auth/basic-hidden/Ada/secret': [200, 404],
  'GET /api/auth/digest': [200, 400, 401],
  'GET /api/auth/digest?algorithm=SHA-256-sess,MD5&qop=auth,auth-int': [200, 400, 401],
  'GET /api/auth/api-key/header': [200, 400, 401],
  'GET /api/auth/api-key/cookie': [200, 400, 401],
  'GET /api/auth/bearer': [200, 400, 401],
  'GET /api/auth/roles/user': [200, 400, 401, 403],
  'GET /api/auth/roles/admin': [200, 400, 401, 403],
  'DELETE /api/auth/roles/resource': [200, 400, 401, 403],
  'GET /api/auth/jwt/me': [200, 400, 401],
  'GET /api/auth/jwt/admin': [200, 400, 401, 403],
  'POST /api/auth/jwt/login': [200, 400, 401, 415],
  'POST /api/auth/jwt/refresh': [200, 400, 401, 415],
  'POST /api/auth/jwt/logout': [204, 400, 401, 415],
  'POST /api/auth/oauth/token': [200, 400, 401],
  'POST /api/auth/oauth/introspect': [200, 400, 401],
  'POST /api/auth/oauth/revoke': [200, 400, 401],
  'GET /api/auth/oauth/protected': [200, 400, 401],
  'POST /api/auth/hmac': [200, 400, 401],
  'POST /api/auth/csrf/submit': [200, 403],
};
const targets = Object.keys(documented);

test(`${requestCount} random and mutated credentials`, patientlyTried, async () => {
  const random = randomSource(seed);
  const samples = await collectSamples();
  const clients = await Promise.all(
    Array.from({ length: connections }, () => keepAliveClient(service.url)),
  );
  const statuses = new Map<string, number>();
  const slow: BareRequest[] = [];
  let sent = 0;

  async function run(client: KeepAliveClient): Promise<void> {
    while (sent < requestCount) {
      sent++;
      const { target, request } = makeRequest(random, samples);
      const response = await client.send(request);
      check(target, request, response);
      const key = `${target} ${response.status}`;
      statuses.set(key, (statuses.get(key) ?? 0) + 1);
      if (isDeep && response.durationMs >= slowMs) slow.push(request);
    }
  }

  try {
    await Promise.all(clients.map(run));
    // Any response can be slow on a busy machine; a request that causes it is slow again.
    const [client] = clients as [KeepAliveClient];
    for (const request of slow) {
      const durations: number[] = [];
      for (let again = 0; again < 5; again++)
        durations.push((await client.send(request)).durationMs);
      expect(Math.min(...durations), describeRequest(request)).toBeLessThan(slowMs);
    }
  } finally {
    for (const client of clients) client.close();
  }

  // Each endpoint must have accepted and rejected some, or the checks above would show little.
  for (const target of targets) {
    const seen = (documented[target] ?? []).filter((status) => statuses.has(`${target} ${status}`));
    expect(
      seen.some((status) => status >= 400),
      target,
    ).toBe(true);
    expect(
      seen.some((status) => status < 300),
      `${target} let in`,
    ).toBe(true);
  }
});

function check(target: string, request: BareRequest, { status, body }: BareResponse): void {
  // Without expect, which takes longer than the request.
  const isDocumented = documented[target]?.includes(status);
  const isExplained = status < 400 || isErrorShape(body, status);
  if (!isDocumented || !isExplained) {
    expect.fail(`seed ${seed}: ${describeRequest(request)}\n→ ${status} ${body}`);
  }
}

function isErrorShape(body: string, status: number): boolean {
  const parsed = JSON.parse(body);
  return parsed.status === status && typeof parsed.message === 'string' && parsed.message !== '';
}

function describeRequest({ method, path, headers, body }: BareRequest): string {
  return JSON.stringify({ method, path, headers, body });
}

interface Samples {
  /** Right values of Authorization, for every scheme. */
  readonly authorizations: readonly string[];
  /** By target: a right request, if it can be sent more than once. */
  readonly right: Readonly<Record<string, Omit<BareRequest, 'method' | 'path'>>>;
}

async function collectSamples(): Promise<Samples> {
  const credentials = await demoCredentials(service);
  const { basic, digest, bearer, apiKey, oauth, hmac } = credentials;
  const [admin] = credentials.jwt;
  const json = ['Content-Type', 'application/json'] as const;
  const form = ['Content-Type', 'application/x-www-form-urlencoded'] as const;
  const jwtLogin = async () =>
    (await service.send('POST /api/auth/jwt/login', { json: admin })).json;
  const { accessToken } = await jwtLogin();
  const client = ['Authorization', basicHeader(oauth.clientId, oauth.clientSecret)] as const;
  const grant = 'grant_type=client_credentials&scope=read+write';
  const { json: oauthToken } = await service.send('POST /api/auth/oauth/token', {
    headers: [client, form],
    body: grant,
  });
  const csrf = (await service.send('GET /api/auth/csrf/token')).json.csrfToken;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', hmac.secret).update(`${timestamp}.{"a":1}`).digest('hex');

  const digestResponses: Record<string, string> = {};
  for (const target of targets.filter((each) => each.includes('/digest'))) {
    const { headers } = await service.send(target);
    const uri = target.slice('GET '.length);
    const [challenge = ''] = (headers['www-authenticate'] ?? '').split(', Digest ');
    digestResponses[target] = authenticateByDigest(challenge, { ...digest, uri });
  }
  const authorize = (value: string) => ({ headers: [['Authorization', value]] as const, body: '' });
  const basicRight = basicHeader(basic.username, basic.password);
  const ada = basicHeader('Ada', 'secret');
  const bearers = Object.values(bearer).map((token) => `Bearer ${token}`);
  const [adminToken = ''] = bearers;
  const jwt = `Bearer ${accessToken}`;
  const opaque = `Bearer ${oauthToken.access_token}`;

  return {
    authorizations: [basicRight, ada, ...Object.values(digestResponses), ...bearers, jwt, opaque],
    right: {
      'GET /api/auth/basic': authorize(basicRight),
      'GET /api/auth/basic/Ada/secret': authorize(ada),
      'GET /api/auth/basic-hidden/Ada/secret': authorize(ada),
      ...Object.fromEntries(
        Object.entries(digestResponses).map(([target, value]) => [target, authorize(value)]),
      ),
      'GET /api/auth/api-key/header': { headers: [['X-API-Key', apiKey]], body: '' },
      'GET /api/auth/api-key/cookie': { headers: [['Cookie', `api_key=${apiKey}`]], body: '' },
      'GET /api/auth/bearer': authorize(adminToken),
      'GET /api/auth/roles/user': authorize(adminToken),
      'GET /api/auth/roles/admin': authorize(adminToken),
      'DELETE /api/auth/roles/resource': authorize(adminToken),
      'GET /api/auth/jwt/me': authorize(jwt),
      'GET /api/auth/jwt/admin': authorize(jwt),
      'POST /api/auth/jwt/login': {
        headers: [json],
        body: JSON.stringify({ username: admin?.username, password: admin?.password }),
      },
      'POST /api/auth/jwt/refresh': {
        headers: [json],
        body: JSON.stringify({ refreshToken: (await jwtLogin()).refreshToken }),
      },
      'POST /api/auth/jwt/logout': {
        headers: [json],
        body: JSON.stringify({ refreshToken: (await jwtLogin()).refreshToken }),
      },
      'POST /api/auth/oauth/token': { headers: [client, form], body: grant },
      'POST /api/auth/oauth/introspect': { headers: [client, form], body: 'token=x' },
      'POST /api/auth/oauth/revoke': { headers: [client, form], body: 'token=x' },
      'GET /api/auth/oauth/protected': authorize(opaque),
      'POST /api/auth/hmac': {
        headers: [
          ['X-Timestamp', timestamp],
          ['X-Signature', signature],
        ],
        body: '{"a":1}',
      },
      'POST /api/auth/csrf/submit': {
        headers: [
          ['Cookie', `XSRF-TOKEN=${csrf}`],
          ['X-CSRF-Token', csrf],
        ],
        body: '',
      },
    },
  };
}

/** A right request, or one with a header or the body mutated, replaced, repeated or omitted. */
function makeRequest(random: Random, { authorizations, right }: Samples) {
  const target = random.pick(targets);
  const [method = '', path = ''] = target.split(' ');
  const base = right[target] ?? { headers: [], body: '' };
  let headers = [...base.headers];
  let { body } = base;
  const kind = random.below(12);
  if (kind === 0) return { target, request: { method, path, headers, body } };
  const index = random.below(headers.length);
  const [name, value] = headers[index] ?? ['Authorization', ''];
  if (body !== '' && kind <= 6) {
    if (kind <= 2) body = mutate(random, body);
    else body = kind <= 4 ? mutateValue(random, body) : randomBody(random);
  } else if (kind <= 6) {
    headers[index] = [name, inHeader(mutate(random, value))];
  } else if (kind === 7) {
    headers[index] = [name, inHeader(mutate(random, random.pick(authorizations)))];
  } else if (kind === 8) {
    headers[index] = [name, inHeader(randomText(random))];
  } else if (kind === 9) {
    headers.push([name, random.below(2) ? value : inHeader(mutate(random, value))]);
  } else if (kind === 10) {
    headers = headers.filter((_, at) => at !== index);
  } else {
    headers[index] = ['Authorization', random.pick(authorizations)];
  }
  return { target, request: { method, path, headers, body } };
}

const pieces = [
  ...['"', '\\', ',', '=', ';', ':', ' ', '\t', '%', '%00', '%zz', '+', '.', '..', '/', '-', '_'],
  ...['Basic ', 'Digest ', 'Bearer ', 'nonce="', 'qop=auth-int', 'nc=ffffffff', 'algorithm=MD5'],
  ...['null', '[', ']', '{', '}', '{"a":', '1e999', '-1', '\\u0000', '__proto__', 'constructor'],
  ...['eyJhbGciOiJub25lIn0.', 'AAAA', '====', '\u00e9', '\u00ff', '\u0080', '&token=', '&scope='],
];

/** One to four small changes. */
function mutate(random: Random, text: string): string {
  let changed = text;
  for (let times = 1 + random.below(4); times > 0; times--) {
    const at = random.below(changed.length + 1);
    const end = at + random.below(Math.min(20, changed.length - at) + 1);
    const before = changed.slice(0, at);
    switch (random.below(8)) {
      case 0:
        changed = before + changed.slice(end);
        break;
      case 1:
        changed = before + random.pick(pieces) + changed.slice(at);
        break;
      case 2:
        changed = before + randomCharacter(random) + changed.slice(at + 1);
        break;
      case 3:
        changed = before + changed.slice(at, end).repeat(1 + random.below(20)) + changed.slice(end);
        break;
      case 4:
        changed = before;
        break;
      case 5:
        changed = changed.slice(at) + before;
        break;
      case 6:
        changed = random.below(2) ? changed.toUpperCase() : changed.toLowerCase();
        break;
      default:
        changed = before + random.pick(pieces).repeat(random.below(50)) + changed.slice(at);
    }
  }
  return changed.slice(0, 12_000);
}

/** Changes only one value of a JSON object, so that the service still parses the rest. */
function mutateValue(random: Random, text: string): string {
  if (!text.startsWith('{')) return mutate(random, text);
  const entries = Object.entries(JSON.parse(text));
  const at = random.below(entries.length);
  return JSON.stringify(
    Object.fromEntries(
      entries.map(([name, value], index) =>
        index === at ? [name, mutate(random, String(value))] : [name, value],
      ),
    ),
  );
}

function randomText(random: Random): string {
  const scheme = random.pick(['', 'Basic ', 'Digest ', 'Bearer ', 'basic ', 'api_key=']);
  const length = random.below(random.below(20) === 0 ? 12_000 : 100);
  return scheme + Array.from({ length }, () => randomCharacter(random)).join('');
}

function randomBody(random: Random): string {
  if (random.below(3) === 0) return randomText(random);
  if (random.below(10) === 0) return '['.repeat(random.below(20_000));
  const values = [null, true, 0, 1e308, '', 'demo', '\u0000', [], {}, [[]], { a: {} }];
  const names = ['username', 'password', 'refreshToken', '__proto__', 'toString', 'x'];
  const entries = Array.from({ length: random.below(4) }, () => [
    random.pick(names),
    random.pick(values),
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}

function randomCharacter(random: Random): string {
  return String.fromCharCode(random.below(256));
}

/** Removes the control characters that make the parser reject a request before any area sees it. */
function inHeader(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are replaced
  return text.replace(/[\x00-\x08\x0a-\x1f\x7f]|[^\x00-\xff]/g, '~');
}
