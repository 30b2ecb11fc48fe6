import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  authenticateByDigest,
  challengeParams,
  type DigestResponse,
} from '../support/authenticate-by-digest.js';
import { createService } from '../support/create-service.js';
import { demoCredentials } from '../support/demo-credentials.js';
import { useService } from '../support/service.js';

const startMs = Date.UTC(2026, 0, 1);
let nowMs = startMs;
const service = useService({ now: () => nowMs });
const path = '/api/auth/digest';
let user: { username: string; password: string };

beforeAll(async () => {
  user = (await demoCredentials(service)).digest;
});
beforeEach(() => {
  nowMs = startMs;
});

/** The first challenge of a path. */
async function challengeOf(target = path): Promise<string> {
  const { status, headers } = await service.send(`GET ${target}`);
  expect(status).toBe(401);
  return headers['www-authenticate'] ?? '';
}

function get(authorization: string, target = path, body?: string) {
  return service.send(`GET ${target}`, {
    headers: { authorization },
    ...(body !== undefined && { body }),
  });
}

/** Responds to a fresh challenge with some parameters changed. */
async function attempt(response: Partial<DigestResponse> = {}, target = path) {
  const challenge = await challengeOf(target);
  return get(authenticateByDigest(challenge, { ...user, uri: target, ...response }), target);
}

function stale({ headers }: { headers: Record<string, unknown> }): boolean {
  return String(headers['www-authenticate']).includes('stale=true');
}

test('without credentials the default is one challenge: MD5 with auth', async () => {
  const { rawHeaders } = await service.send(`GET ${path}`);
  const challenges = rawHeaders.filter((_, index) => rawHeaders[index - 1] === 'www-authenticate');
  expect(challenges).toEqual([
    expect.stringMatching(
      /^Digest realm="Practice API", qop="auth", algorithm=MD5, nonce="[\w-]{43}", opaque="[0-9a-f]{32}"$/,
    ),
  ]);
});

test('the right response returns the Digest record and authenticates the server too', async () => {
  const challenge = await challengeOf();
  const { status, headers, json } = await get(
    authenticateByDigest(challenge, { ...user, uri: path }),
  );
  expect(status).toBe(200);
  expect(json).toEqual({
    authenticated: true,
    scheme: 'digest',
    user: user.username,
    algorithm: 'MD5',
    qop: 'auth',
  });
  // RFC 7616 section 3.5: computed like a response with an empty method.
  const expected = authenticateByDigest(challenge, { ...user, uri: path, method: '' });
  const { response } = challengeParams(expected);
  expect(headers['authentication-info']).toBe(
    `rspauth="${response}", qop=auth, nc=00000001, cnonce="c0ffee"`,
  );
});

test('HEAD is hashed as a different method from GET', async () => {
  const authorization = authenticateByDigest(await challengeOf(), {
    ...user,
    uri: path,
    method: 'HEAD',
  });
  const { status } = await service.send(`HEAD ${path}`, { headers: { authorization } });
  expect(status).toBe(200);
});

describe('algorithms and qops', () => {
  const algorithms = [
    'MD5',
    'MD5-sess',
    'SHA-256',
    'SHA-256-sess',
    'SHA-512-256',
    'SHA-512-256-sess',
  ];
  const cases = algorithms.flatMap((algorithm) =>
    ['auth', 'auth-int', 'none'].map((qop) => ({ algorithm, qop })),
  );

  test.each(cases)('$algorithm with $qop', async ({ algorithm, qop }) => {
    const target = `${path}?algorithm=${algorithm}&qop=${qop}`;
    if (algorithm.endsWith('-sess') && qop === 'none') {
      const { status, json } = await service.send(`GET ${target}`);
      expect(status).toBe(400);
      expect(json.message).toContain('cnonce');
      return;
    }
    const challenge = await challengeOf(target);
    expect(challengeParams(challenge).algorithm).toBe(algorithm);
    const { status, json } = await get(
      authenticateByDigest(challenge, { ...user, uri: target }),
      target,
    );
    expect(status).toBe(200);
    expect(json).toMatchObject({ algorithm, qop });
    expect((await attempt({ password: 'wrong' }, target)).status).toBe(401);
  });

  test('several algorithms give several challenges, the strongest first', async () => {
    const { rawHeaders } = await service.send(
      `GET ${path}?algorithm=MD5,SHA-256&algorithm=sha-512-256`,
    );
    const challenges = rawHeaders.filter((_, at) => rawHeaders[at - 1] === 'www-authenticate');
    expect(challenges.map((challenge) => challengeParams(challenge).algorithm)).toEqual([
      'SHA-512-256',
      'SHA-256',
      'MD5',
    ]);
  });

  test('a client may use any of several challenges', async () => {
    const target = `${path}?algorithm=MD5,SHA-256`;
    const { rawHeaders } = await service.send(`GET ${target}`);
    const challenges = rawHeaders.filter((_, at) => rawHeaders[at - 1] === 'www-authenticate');
    for (const [index, challenge] of challenges.entries()) {
      const response = authenticateByDigest(challenge, { ...user, uri: target, nc: index + 1 });
      expect((await get(response, target)).status).toBe(200);
    }
  });

  test.each(['?algorithm=SHA-1', '?algorithm=', '?qop=auth-conf', '?qop=none,auth'])(
    '%s is 400, and the message lists the supported values',
    async (query) => {
      const { status, json } = await service.send(`GET ${path}${query}`);
      expect(status).toBe(400);
      expect(json.message).toMatch(/algorithm must be|qop must be|got none and others/);
    },
  );

  test('auth-int covers the body', async () => {
    const target = `${path}?qop=auth-int`;
    const response = authenticateByDigest(await challengeOf(target), {
      ...user,
      uri: target,
      body: 'signed',
    });
    expect((await get(response, target, 'other')).status).toBe(401);
    const again = authenticateByDigest(await challengeOf(target), {
      ...user,
      uri: target,
      body: 'signed',
    });
    expect((await get(again, target, 'signed')).status).toBe(200);
  });

  test('a session may keep its first cnonce for the key, or use the cnonce of each request', async () => {
    const target = `${path}?algorithm=SHA-256-sess`;
    const challenge = await challengeOf(target);
    const first = { ...user, uri: target, cnonce: 'first' };
    expect((await get(authenticateByDigest(challenge, first), target)).status).toBe(200);
    const own = { ...user, uri: target, cnonce: 'second', nc: 2 };
    expect((await get(authenticateByDigest(challenge, own), target)).status).toBe(200);
  });
});

describe('rejections', () => {
  test('an unknown user and a wrong password get the same message', async () => {
    const wrong = await attempt({ password: 'wrong' });
    const unknown = await attempt({ username: 'nobody' });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(unknown.json).toEqual(wrong.json);
    expect(stale(wrong) || stale(unknown)).toBe(false);
  });

  test.each<[string, Partial<DigestResponse>, RegExp]>([
    ['another realm', { changes: { realm: '"x"' } }, /realm/],
    ['another opaque', { changes: { opaque: '"x"' } }, /opaque is not/],
    ['no opaque', { changes: { opaque: undefined } }, /opaque is missing/],
    ['an invented nonce', { changes: { nonce: '"abc"' } }, /nonce was not issued in this sandbox/],
    ['another uri', { uri: '/api/auth/other' }, /uri must be the target/],
    ['a uri without its query', { uri: `${path}?a=b` }, /uri must be the target/],
    ['another method', { method: 'POST' }, /response computed/],
    ['a malformed response', { changes: { response: '""' } }, /response computed/],
    ['an algorithm not offered', { changes: { algorithm: 'SHA-256' } }, /which offers MD5/],
    ['a qop not offered', { changes: { qop: 'auth-int' } }, /another qop/],
    ['no qop', { changes: { qop: undefined } }, /have no qop/],
    ['a count of zero', { nc: 0 }, /nonce count/],
    ['a repeated parameter', { changes: { NONCE: '"x"' } }, /nonce is repeated/],
  ])('%s is rejected, and the message says so', async (_name, response, message) => {
    const { status, headers, json } = await attempt(response);
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toMatch(/^Digest /);
    expect(json.message).toMatch(message);
  });

  test('an absolute uri is the same target; a uri of another host is not', async () => {
    const { host } = new URL(service.url);
    expect((await attempt({ uri: `http://${host}${path}` })).status).toBe(200);
    expect((await attempt({ uri: `http://other.example${path}` })).status).toBe(401);
  });

  test('a request in absolute form, as proxies send it, is the same target', async () => {
    const authorization = authenticateByDigest(await challengeOf(), { ...user, uri: path });
    const { hostname, port } = new URL(service.url);
    const status = await new Promise((resolve, reject) => {
      request(
        { hostname, port, path: service.url + path, headers: { authorization } },
        (response) => resolve(response.resume().statusCode),
      )
        .on('error', reject)
        .end();
    });
    expect(status).toBe(200);
  });
});

describe('nonces', () => {
  test('a used count is rejected as stale, and a higher count is accepted', async () => {
    const challenge = await challengeOf();
    const use = (nc: number) => get(authenticateByDigest(challenge, { ...user, uri: path, nc }));
    expect((await use(1)).status).toBe(200);
    const replay = await use(1);
    expect(replay.status).toBe(401);
    expect(replay.json.message).toContain('must increase');
    expect(stale(replay)).toBe(true);
    expect((await use(7)).status).toBe(200);
    expect((await use(6)).status).toBe(401);
  });

  test('a wrong password with a used count is reported as a wrong password, not as stale', async () => {
    const challenge = await challengeOf();
    expect((await get(authenticateByDigest(challenge, { ...user, uri: path }))).status).toBe(200);
    const wrong = await get(authenticateByDigest(challenge, { ...user, password: 'x', uri: path }));
    expect(wrong.status).toBe(401);
    expect(stale(wrong)).toBe(false);
  });

  test('without a qop a nonce is valid once', async () => {
    const target = `${path}?qop=none`;
    const response = authenticateByDigest(await challengeOf(target), { ...user, uri: target });
    expect((await get(response, target)).status).toBe(200);
    const again = await get(response, target);
    expect(again.status).toBe(401);
    expect(stale(again)).toBe(true);
  });

  test('of many concurrent uses of one count exactly one is accepted', async () => {
    const response = authenticateByDigest(await challengeOf(), { ...user, uri: path });
    const responses = await Promise.all(Array.from({ length: 40 }, () => get(response)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter((rejected) => rejected.status === 401 && stale(rejected))).toHaveLength(
      39,
    );
  });

  test('a nonce expires after 300 seconds; then it is stale, and the new one works', async () => {
    const challenge = await challengeOf();
    nowMs = startMs + 299_999;
    expect((await get(authenticateByDigest(challenge, { ...user, uri: path }))).status).toBe(200);
    nowMs = startMs + 300_000;
    const late = await get(authenticateByDigest(challenge, { ...user, uri: path, nc: 2 }));
    expect(late.status).toBe(401);
    expect(stale(late)).toBe(true);
    expect(late.json.message).toContain('older than 300 seconds');
    const fresh = late.headers['www-authenticate'] ?? '';
    expect((await get(authenticateByDigest(fresh, { ...user, uri: path }))).status).toBe(200);
  });

  test('a nonce issued before the clock was set back is stale', async () => {
    const challenge = await challengeOf();
    nowMs = startMs - 1;
    const early = await get(authenticateByDigest(challenge, { ...user, uri: path }));
    expect(early.status).toBe(401);
    expect(stale(early)).toBe(true);
    expect(early.json.message).toContain('was set back');
  });

  test('an unknown nonce is stale if its response is right, as after a restart', async () => {
    const elsewhere = await createService();
    const { headers } = await fetch(elsewhere.url + path).finally(() => elsewhere.close());
    const challenge = headers.get('www-authenticate') ?? '';
    const rejected = await get(authenticateByDigest(challenge, { ...user, uri: path }));
    expect(rejected.status).toBe(401);
    expect(stale(rejected)).toBe(true);
    const fresh = rejected.headers['www-authenticate'] ?? '';
    expect((await get(authenticateByDigest(fresh, { ...user, uri: path }))).status).toBe(200);
    const wrong = await get(
      authenticateByDigest(challenge, { ...user, password: 'wrong', uri: path }),
    );
    expect(stale(wrong)).toBe(false);
    expect(wrong.json.message).toContain('not issued in this sandbox');
  });

  test('both qops are listed without a space, which older clients cannot parse', async () => {
    expect(await challengeOf(`${path}?qop=auth,auth-int`)).toContain('qop="auth,auth-int"');
  });

  test('a nonce of another service is rejected', async () => {
    const other = 'AaH3fcplSP9Sc3i7wyxpn7TjPldf7z0R5tk7Gavv5I8';
    const { status, json } = await attempt({ changes: { nonce: `"${other}"` } });
    expect(status).toBe(401);
    expect(json.message).toContain('not issued in this sandbox');
  });
});

describe('several challenges', () => {
  const offered = ['MD5', 'SHA-256', 'SHA-512-256', 'MD5-sess'];
  const target = `${path}?algorithm=${offered.join(',')}`;

  /** Challenges by algorithm. */
  async function challenges(): Promise<Map<string, string>> {
    const { rawHeaders } = await service.send(`GET ${target}`);
    const all = rawHeaders.filter((_, index) => rawHeaders[index - 1] === 'www-authenticate');
    return new Map(all.map((each) => [challengeParams(each).algorithm ?? '', each]));
  }

  test('each has its own nonce', async () => {
    const all = [...(await challenges()).values()];
    const nonces = new Set(all.map((each) => challengeParams(each).nonce));
    expect([all.length, nonces.size]).toEqual([offered.length, offered.length]);
  });

  test.each(offered)('a client may choose %s', async (algorithm) => {
    const challenge = (await challenges()).get(algorithm) ?? '';
    const { status, json } = await get(
      authenticateByDigest(challenge, { ...user, uri: target }),
      target,
    );
    expect([status, json.algorithm]).toEqual([200, algorithm]);
  });

  test.each([
    ['SHA-256', 'MD5'],
    ['MD5', 'SHA-512-256'],
    ['MD5-sess', 'MD5'],
  ])('credentials of %s with the nonce of %s are reported as such', async (chosen, other) => {
    const all = await challenges();
    const nonce = challengeParams(all.get(other) ?? '').nonce ?? '';
    const challenge = (all.get(chosen) ?? '').replace(/nonce="[^"]+"/, `nonce="${nonce}"`);
    const response = await get(authenticateByDigest(challenge, { ...user, uri: target }), target);
    expect(response.status).toBe(401);
    expect(response.json.message).toContain(`This nonce belongs to the ${other} challenge`);
    expect(stale(response)).toBe(false);
  });
});

describe('any other method', () => {
  const send = (method: string, target: string, authorization?: string, body?: string) =>
    service.send(`${method} ${target}`, {
      ...(authorization !== undefined && { headers: { authorization } }),
      ...(body !== undefined && { body }),
    });
  const respond = async (
    [method, target]: readonly [string, string],
    bodies: readonly [string | undefined, string],
    response: Partial<DigestResponse> = {},
  ) => {
    const [first, second] = bodies;
    const challenged = await send(method, target, undefined, first);
    expect(challenged.status).toBe(401);
    expect(challenged.json.bodyBytes).toBe(Buffer.byteLength(first ?? ''));
    const challenge = challenged.headers['www-authenticate'] ?? '';
    const own = { ...user, uri: target, method, body: second, ...response };
    const authorization = authenticateByDigest(challenge, own);
    return { challenge, own, response: await send(method, target, authorization, second) };
  };

  test.each([
    ['POST', path],
    ['PUT', `${path}?qop=auth-int`],
    ['PATCH', `${path}?qop=auth-int&algorithm=SHA-256-sess`],
    ['DELETE', `${path}?qop=none`],
    ['POST', `/s/methods${path}?qop=auth-int&a=b`],
  ])('%s %s reports the sizes of both bodies', async (method, target) => {
    const { response } = await respond([method, target], ['first', 'the second']);
    expect(response.status).toBe(200);
    expect(response.json).toMatchObject({ bodyBytes: 10, challengeBodyBytes: 5 });
  });

  test('a client whose first request has no body learns that size too', async () => {
    const { response } = await respond(['POST', path], [undefined, 'body']);
    expect(response.json).toMatchObject({ bodyBytes: 4, challengeBodyBytes: 0 });
  });

  test('auth-int rejects another body and another method', async () => {
    const target = `${path}?qop=auth-int`;
    for (const changed of [{ body: 'other' }, { method: 'PUT' }]) {
      const { response } = await respond(['POST', target], ['', 'body'], changed);
      expect(response.status).toBe(401);
    }
  });

  test.each(['POST', 'GET'])(
    '%s with auth-int authenticates the body of the response',
    async (method) => {
      const target = `${path}?qop=auth-int`;
      const challenge = await challengeOf(target);
      const own = { ...user, uri: target, method, body: method === 'POST' ? 'body' : '' };
      const authorization = authenticateByDigest(challenge, own);
      const { headers, text } = await send(method, target, authorization, own.body || undefined);
      const proof = authenticateByDigest(challenge, { ...own, method: '', body: text });
      expect(headers['authentication-info']).toBe(
        `rspauth="${challengeParams(proof).response}", qop=auth-int, nc=00000001, cnonce="c0ffee"`,
      );
    },
  );
});

describe('parameters of the challenge', () => {
  test.each(['auth', 'auth-int', 'none'])(
    'nextnonce can be used next, with qop %s',
    async (qop) => {
      const target = `${path}?nextnonce=true&qop=${qop}`;
      const first = await attempt({}, target);
      expect(first.status).toBe(200);
      const info = String(first.headers['authentication-info']);
      const { nextnonce } = challengeParams(info);
      expect(nextnonce).toMatch(/^[\w-]{43}$/);
      const challenge = (await challengeOf(target)).replace(
        /nonce="[^"]*"/,
        `nonce="${nextnonce}"`,
      );
      const again = authenticateByDigest(challenge, { ...user, uri: target });
      expect((await get(again, target)).status).toBe(200);
      expect(stale(await get(again, target))).toBe(true);
    },
  );

  test('userhash is offered where requested, and accepted', async () => {
    const target = `${path}?userhash=true&algorithm=SHA-256`;
    const challenge = await challengeOf(target);
    expect(challenge).toContain('userhash=true');
    expect(await challengeOf(`${path}?userhash=false`)).not.toContain('userhash');
    const hashed = createHash('sha256').update(`${user.username}:Practice API`).digest('hex');
    const changes = { username: `"${hashed}"`, userhash: 'true' };
    const authorization = authenticateByDigest(challenge, { ...user, uri: target, changes });
    expect((await get(authorization, target)).status).toBe(200);
  });

  test.each(['realm=x', 'domain=/', 'nonce=x', 'opaque=x', 'stale=true', 'charset=x', 'STALE=1'])(
    '%s cannot be chosen',
    async (query) => {
      const { status, json } = await service.send(`GET ${path}?${query}`);
      expect(status).toBe(400);
      expect(json.message).toContain('cannot be chosen. Choose algorithm, qop, userhash');
    },
  );

  test.each(['nextnonce=1x', 'userhash=maybe'])('%s is 400', async (query) => {
    expect((await service.send(`GET ${path}?${query}`)).status).toBe(400);
  });

  test('other query parameters are part of the URI that Digest protects', async () => {
    const target = `${path}?anything=1`;
    expect((await attempt({}, target)).status).toBe(200);
    expect((await attempt({ uri: path }, target)).status).toBe(401);
  });
});
