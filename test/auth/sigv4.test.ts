import { createHmac, hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { rawExchange } from '../support/raw-exchange.js';
import { useService } from '../support/service.js';

const nowMs = Date.UTC(2026, 0, 1, 12);
const service = useService({ now: () => nowMs });
const path = '/api/auth/sigv4';
const keyId = 'AKIDPRACTICE';
const secret = 'demo-sigv4-secret';
const empty = hash('sha256', '', 'hex');
const unsigned = 'UNSIGNED-PAYLOAD';

interface Signed {
  readonly method?: string;
  readonly target?: string;
  readonly body?: string;
  /** Headers that are sent and signed, by lowercase names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly time?: string;
  readonly service?: string;
  readonly scope?: string;
  readonly keyId?: string;
  readonly names?: string;
  /** Values that are signed instead of the right ones. */
  readonly canonical?: Partial<
    Record<'method' | 'path' | 'query' | 'host' | 'payload' | 'lines', string>
  >;
  readonly change?: (canonicalRequest: string) => string;
  readonly changeString?: (stringToSign: string, canonicalRequest: string) => string;
  readonly key?: (scope: readonly string[]) => Buffer;
}

const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const derive = (start: string) => (scope: readonly string[]) =>
  scope.reduce((key: string | Buffer, part) => mac(key, part), start) as Buffer;

function sign(options: Signed) {
  const { method = 'GET', target = path, body = '', time = '20260101T120000Z' } = options;
  const host = new URL(service.url).host;
  const signed: Record<string, string> = { host, 'x-amz-date': time, ...options.headers };
  const [sentPath = '', query = ''] = target.split('?');
  const { canonical = {}, service: name = 'execute-api' } = options;
  const names = Object.keys(signed).sort();
  const lines = names.map((each) => {
    const value = each === 'host' ? (canonical.host ?? host) : (signed[each] ?? '');
    return `${each}:${value.trim().replace(/ +/g, ' ')}\n`;
  });
  const canonicalRequest = [
    canonical.method ?? method,
    canonical.path ?? sentPath,
    canonical.query ?? query,
    canonical.lines ?? lines.join(''),
    names.join(';'),
    canonical.payload ?? signed['x-amz-content-sha256'] ?? hash('sha256', body, 'hex'),
  ].join('\n');
  const scope = options.scope ?? `20260101/us-east-1/${name}/aws4_request`;
  const changed = options.change?.(canonicalRequest) ?? canonicalRequest;
  const right = ['AWS4-HMAC-SHA256', time, scope, hash('sha256', changed, 'hex')].join('\n');
  const toSign = options.changeString?.(right, canonicalRequest) ?? right;
  const key = (options.key ?? derive(`AWS4${secret}`))(scope.split('/'));
  const signature = mac(key, toSign).toString('hex');
  const { host: _, ...headers } = signed;
  return {
    canonicalRequest,
    toSign,
    target: `${method} ${target}`,
    options: {
      headers: {
        ...headers,
        Authorization: `AWS4-HMAC-SHA256 Credential=${options.keyId ?? keyId}/${scope}, SignedHeaders=${options.names ?? names.join(';')}, Signature=${signature}`,
      },
      ...(body !== '' && { body }),
    },
  };
}

async function send(options: Signed) {
  const signed = sign(options);
  return { ...signed, ...(await service.send(signed.target, signed.options)) };
}

describe('a right signature', () => {
  test.each<[string, Signed]>([
    ['a GET', {}],
    ['a path below', { target: `${path}/a/b` }],
    ['an encoded path', { target: `${path}/a%20b`, canonical: { path: `${path}/a%2520b` } }],
    [
      'a path that is normalized',
      { target: `${path}//a/./b/`, canonical: { path: `${path}/a/b/` } },
    ],
    ['an encoded path of S3', s3({ target: `${path}//a%20b` })],
    ['a query', { target: `${path}?b=2&a=1&a=0&c`, canonical: { query: 'a=0&a=1&b=2&c=' } }],
    ['a query with plus', { target: `${path}?a=b+c`, canonical: { query: 'a=b%20c' } }],
    [
      'a body',
      { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } },
    ],
    [
      'a named hash',
      { method: 'PUT', body: 'x', headers: { 'x-amz-content-sha256': hash('sha256', 'x', 'hex') } },
    ],
    ['an unsigned payload', s3({ method: 'PUT', body: 'x' })],
    ['a token', { headers: { 'x-amz-security-token': 'a/b==' } }],
    ['spaces in a header', { headers: { 'my-header': 'a   b' } }],
    ['DELETE', { method: 'DELETE' }],
    ['OPTIONS', { method: 'OPTIONS' }],
    ['15 minutes ago', { time: '20260101T114500Z' }],
    ['in 15 minutes', { time: '20260101T121500Z' }],
  ])('is accepted: %s', async (_name, options) => {
    const { status, json, canonicalRequest, toSign } = await send(options);
    expect(json).toEqual({
      authenticated: true,
      scheme: 'aws-sigv4',
      accessKeyId: keyId,
      region: 'us-east-1',
      service: options.service ?? 'execute-api',
      signedHeaders: Object.keys({ host: '', 'x-amz-date': '', ...options.headers }).sort(),
      canonicalRequest,
      stringToSign: toSign,
    });
    expect(status).toBe(200);
  });

  test('covers the path of the sandbox URL, and uses the clock of the sandbox', async () => {
    const json = { offsetSeconds: -3600 };
    await service.send('PUT /s/past/api/sandbox/clock', { json });
    const target = `/s/past${path}/a`;
    expect((await send({ target, time: '20260101T110000Z' })).status).toBe(200);
    const { status, json: rejected } = await send({ target });
    expect(status).toBe(403);
    expect(rejected.message).toBe(
      "X-Amz-Date: It is 3600 s ahead of the server's clock, 20260101T110000Z; at most 900 s are allowed.",
    );
  });

  test('may use the header Date', async () => {
    const { options } = sign({ headers: { date: 'Thu, 01 Jan 2026 12:00:00 GMT' } });
    const { 'x-amz-date': _, ...headers } = options.headers as Record<string, string>;
    const host = new URL(service.url).host;
    const scope = '20260101/us-east-1/execute-api/aws4_request';
    const date = headers.date ?? '';
    const canonical = `GET\n${path}\n\ndate:${date}\nhost:${host}\n\ndate;host\n${empty}`;
    const text = `AWS4-HMAC-SHA256\n20260101T120000Z\n${scope}\n${hash('sha256', canonical, 'hex')}`;
    const signature = mac(derive(`AWS4${secret}`)(scope.split('/')), text).toString('hex');
    const Authorization = `AWS4-HMAC-SHA256 Credential=${keyId}/${scope},SignedHeaders=date;host,Signature=${signature}`;
    const { status } = await service.send(`GET ${path}`, { headers: { date, Authorization } });
    expect(status).toBe(200);
  });

  test('covers the bytes of a header in UTF-8', async () => {
    const { target, options } = sign({ headers: { 'my-header': 'é' } });
    const headers = Object.entries(options.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const host = new URL(service.url).host;
    const head = `${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${headers.join('')}\r\n`;
    const { status, body } = await rawExchange(service.url, head);
    expect(status).toBe(200);
    expect(body).toContain('my-header:é');
  });
});

function s3(options: Signed): Signed {
  return { ...options, service: 's3', headers: { 'x-amz-content-sha256': unsigned } };
}

describe('a wrong signature is 403, and the response names the part that differs:', () => {
  const query = `${path}?b=1&a=x%20y%2F`;
  const sorted = 'a=x%20y%2F&b=1';
  const wrong: readonly (readonly [Signed, string, RegExp])[] = [
    [{ key: derive(secret) }, 'secret', /without AWS4/],
    [{ key: derive(`AWS4${secret}\n`) }, 'secret', /line break/],
    [{ key: derive(`AWS4${keyId}`) }, 'secret', /key id/],
    [{ key: () => Buffer.from(secret) }, 'secret', /Derive one/],
    [
      { key: derive('AWS4other') },
      'Signature',
      /another canonical request, or with another secret/,
    ],
    [{ changeString: (text) => `${text}\n` }, 'string to sign', /line break/],
    [{ changeString: (text) => text.replaceAll('\n', '\r\n') }, 'string to sign', /CRLF/],
    [{ changeString: (_, canonical) => canonical }, 'string to sign', /itself/],
    [{ change: (text) => `${text}\n` }, 'string to sign', /line break ended/],
    [{ change: (text) => text.replace('\n\nhost;', '\nhost;') }, 'string to sign', /empty line/],
    [{ canonical: { host: '127.0.0.1' } }, 'host', /without its port/],
    [{ canonical: { method: 'POST' } }, 'method', /^POST was signed, but GET arrived/],
    [{ canonical: { method: 'get' } }, 'method', /lower case/],
    [{ target: `${path}/a%20b` }, 'path', /encoded once/],
    [{ target: `${path}/a%20b`, canonical: { path: `${path}/a b` } }, 'path', /decoded/],
    [{ target: `${path}//a/./b` }, 'path', /encoded once|as it is sent/],
    [{ target: `${path}/a/`, canonical: { path: `${path}/a` } }, 'path', /slash at its end/],
    [{ canonical: { path: '/' } }, 'path', /as \//],
    [{ target: `/s/a${path}`, canonical: { path } }, 'path', /without the sandbox/],
    [
      s3({ target: `${path}/a%20b`, canonical: { path: `${path}/a%2520b` } }),
      'path',
      /S3 encodes it once/,
    ],
    [{ target: query, canonical: { query: 'b=1&a=x%20y%2F' } }, 'query', /not sorted/],
    [{ target: query, canonical: { query: sorted.replace('%20', '+') } }, 'query', /spaces/],
    [{ target: query, canonical: { query: sorted.replace('%2F', '/') } }, 'query', /%2F/],
    [{ target: query, canonical: { query: sorted.replace('%2F', '%2f') } }, 'query', /capitals/],
    [{ target: query, canonical: { query: '' } }, 'query', /empty/],
    [{ target: query, canonical: { query: `?${sorted}` } }, 'query', /question mark/],
    [{ target: `${path}?a+b=1`, canonical: { query: 'a%2Bb=1' } }, 'query', /send %2B/],
    [{ target: `${path}?a`, canonical: { query: 'a' } }, 'query', /Encode and sort its parameters/],
    [{ method: 'POST', body: 'x', canonical: { payload: empty } }, 'payload', /as empty/],
    [{ method: 'POST', body: 'x', canonical: { payload: unsigned } }, 'payload', /UNSIGNED/],
    [
      {
        headers: { 'content-type': 'text/plain; charset=utf-8' },
        change: (text) => text.replace('; charset=utf-8', ''),
      },
      'content-type',
      /parameters/,
    ],
    [
      { headers: { 'my-header': 'a   b' }, change: (text) => text.replace('a b', 'a   b') },
      'headers',
      /Runs of spaces/,
    ],
    [
      {
        headers: { 'my-header': 'A' },
        change: (text) =>
          text
            .replace('my-header:A', 'my-header:a')
            .replace(/(?<=x-amz-date:).*/, (time) => time.toLowerCase()),
      },
      'headers',
      /lower case/,
    ],
    // Problems that are reported before the signature is computed.
    [{ keyId: 'AKIDOTHER' }, 'Credential', /unknown/],
    [
      { scope: '20260101/us-east-1/s3/aws_request' },
      'Credential',
      /ends with "aws_request", not with aws4_request/,
    ],
    [{ scope: '20251231/us-east-1/s3/aws4_request' }, 'Credential', /day is "20251231"/],
    [{ scope: '20260102/us-east-1/s3/aws4_request' }, 'Credential', /day is "20260102"/],
    [{ scope: '2026010/us-east-1/s3/aws4_request' }, 'Credential', /day is "2026010"/],
    [{ scope: '20260101/us-east-1/aws4_request' }, 'Credential', /must have the form/],
    [{ time: '20260101T114459Z' }, 'X-Amz-Date', /901 s behind/],
    [{ time: '20260101T121501Z' }, 'X-Amz-Date', /901 s ahead/],
    [{ time: '20260101T250000Z' }, 'X-Amz-Date', /must be a time/],
    [
      { time: '2026-01-01T12:00:00Z', scope: '2026-01-01/r/s/aws4_request' },
      'X-Amz-Date',
      /must be a time/,
    ],
    [{ service: 's3' }, 'X-Amz-Content-Sha256', /S3 requires it/],
    [
      { headers: { 'x-amz-content-sha256': empty }, method: 'POST', body: 'x' },
      'X-Amz-Content-Sha256',
      /not the hash of the 1 byte/,
    ],
    [{ headers: { 'x-amz-content-sha256': 'x' } }, 'X-Amz-Content-Sha256', /64 hex digits/],
    [{ names: 'host;X-Amz-Date' }, 'SignedHeaders', /lower case/],
    [{ names: 'x-amz-date;host' }, 'SignedHeaders', /sorted, each once: host;x-amz-date/],
    [{ names: 'host;host' }, 'SignedHeaders', /each once/],
    [{ names: 'x-amz-date' }, 'SignedHeaders', /host must be signed/],
    [{ names: 'host' }, 'SignedHeaders', /x-amz-date arrived, but is not signed/],
    [
      { names: 'host;my-header;x-amz-date' },
      'SignedHeaders',
      /my-header is signed, but did not arrive/,
    ],
    [{ names: 'host,x-amz-date' }, 'Authorization', /It has "x-amz-date"/],
  ];
  test.each(wrong.map(([options, part, message]) => [part, message, options] as const))(
    '%s: %s',
    async (part, message, options) => {
      const { status, json, text, toSign } = await send(options);
      expect(json.differs).toEqual({ part, message: expect.stringMatching(message) });
      expect(status).toBe(403);
      expect(json.message).toBe(`${part}: ${json.differs.message}`);
      const right = mac(
        derive(`AWS4${secret}`)(['20260101', 'us-east-1', 'execute-api', 'aws4_request']),
        toSign,
      );
      expect(text).not.toContain(right.toString('hex'));
    },
  );

  test.each([
    ['Basic eDp5', /AWS4-HMAC-SHA256. It begins with "Basic"/],
    ['AWS4-HMAC-SHA256', /It has ""/],
    ['AWS4-HMAC-SHA256 Credential=a', /SignedHeaders is missing|X-Amz-Date/],
    ['AWS4-HMAC-SHA256 Credential=a SignedHeaders=host', /Separate the parts by commas/],
    ['AWS4-HMAC-SHA256 Credential=a, Credential=b', /Credential twice/],
    ['AWS4-HMAC-SHA256 A=1', /It has "A=1"/],
    ['AWS4-ECDSA-P256-SHA256 Credential=a', /4A is not supported/],
    ['AWS a:b', /Version 2/],
    ['OSC4-HMAC-SHA256 Credential=a', /aws:amz/],
    ['', /It begins with ""/],
  ])('Authorization: %s', async (Authorization, message) => {
    const { status, json } = await service.send(`GET ${path}`, { headers: { Authorization } });
    expect(status).toBe(403);
    expect(json.message).toMatch(message);
  });

  test('a signature that is not lowercase hex', async () => {
    const { options, target } = sign({});
    const headers = { ...options.headers };
    headers.Authorization = headers.Authorization.replace(/Signature=.*/, (text) =>
      text.toUpperCase().replace('SIGNATURE', 'Signature'),
    );
    const { json } = await service.send(target, { headers });
    expect(json.differs.part).toBe('Signature');
  });

  test('no signature, and no time', async () => {
    expect((await service.send(`GET ${path}`)).json.differs.part).toBe('Authorization');
    const headers = { Authorization: sign({}).options.headers.Authorization };
    expect((await service.send(`GET ${path}`, { headers })).json.message).toMatch(
      /X-Amz-Date: It is missing, and so is Date/,
    );
  });
});

test.each([
  [
    'bodies signed in chunks',
    { 'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD' },
    /in chunks/,
  ],
  ['a presigned URL too', {}, /has two signatures/],
])('%s get 400', async (_name, headers, message) => {
  const target = Object.keys(headers).length > 0 ? path : `${path}?X-Amz-Signature=a`;
  const { status, json } = await send({ target, headers: headers as Record<string, string> });
  expect(status).toBe(400);
  expect(json.message).toMatch(message);
});

test('a repeated Authorization gets 400, and a large body 413', async () => {
  const { options, target } = sign({});
  const headers = Object.entries(options.headers);
  const twice = [...headers, ['authorization', 'x'] as [string, string]];
  expect((await service.send(target, { headers: twice })).status).toBe(400);
  const large = sign({ ...s3({ method: 'PUT' }) });
  const body = Buffer.alloc(1024 * 1024 + 1);
  expect((await service.send(large.target, { ...large.options, body })).status).toBe(413);
});

describe('a presigned URL', () => {
  const scope = `20260101/us-east-1/s3/aws4_request`;
  function presign(changes: Readonly<Record<string, string>> = {}, drop = '') {
    const host = new URL(service.url).host;
    const parameters: Record<string, string> = {
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': `${keyId}/${scope}`,
      'X-Amz-Date': '20260101T120000Z',
      'X-Amz-Expires': '60',
      'X-Amz-SignedHeaders': 'host',
      ...changes,
    };
    delete parameters[drop];
    const query = Object.entries(parameters)
      .sort()
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&');
    const canonical = `GET\n${path}/key\n${query}\nhost:${host}\n\nhost\n${unsigned}`;
    const date = parameters['X-Amz-Date'] ?? '';
    const text = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${hash('sha256', canonical, 'hex')}`;
    const signature = mac(derive(`AWS4${secret}`)(scope.split('/')), text).toString('hex');
    return `GET ${path}/key?${query}&X-Amz-Signature=${signature}`;
  }

  test.each([
    ['a minute', {}],
    ['a token', { 'X-Amz-Security-Token': 'a/b==' }],
    ['a parameter', { 'response-content-type': 'text/plain' }],
    ['seven days, six days ago', { 'X-Amz-Date': '20260101T000000Z', 'X-Amz-Expires': '604800' }],
  ])('is accepted: %s', async (_name, changes) => {
    const { status, json } = await service.send(presign(changes));
    expect(json.differs).toBeUndefined();
    expect(status).toBe(200);
  });

  test.each<[string, Readonly<Record<string, string>>, string, string, RegExp]>([
    ['expired', { 'X-Amz-Date': '20260101T115800Z' }, '', 'X-Amz-Expires', /expired 60 s ago/],
    ['from the future', { 'X-Amz-Date': '20260101T121501Z' }, '', 'X-Amz-Date', /901 s ahead/],
    ['for too long', { 'X-Amz-Expires': '604801' }, '', 'X-Amz-Expires', /1 to 604800/],
    ['for no time', { 'X-Amz-Expires': '0' }, '', 'X-Amz-Expires', /1 to 604800/],
    ['with words as the lifetime', { 'X-Amz-Expires': 'x' }, '', 'X-Amz-Expires', /1 to 604800/],
    ['without a lifetime', {}, 'X-Amz-Expires', 'X-Amz-Expires', /missing/],
    ['without a time', {}, 'X-Amz-Date', 'X-Amz-Date', /missing/],
    ['without an algorithm', {}, 'X-Amz-Algorithm', 'X-Amz-Algorithm', /missing/],
    ['without a key', {}, 'X-Amz-Credential', 'X-Amz-Credential', /missing/],
    [
      'of another algorithm',
      { 'X-Amz-Algorithm': 'AWS4-HMAC-SHA1' },
      '',
      'X-Amz-Algorithm',
      /must be/,
    ],
  ])('is rejected: %s', async (_name, changes, drop, part, message) => {
    const { status, json } = await service.send(presign(changes, drop));
    expect(status).toBe(403);
    expect(json.differs).toEqual({ part, message: expect.stringMatching(message) });
  });

  test('is rejected with a repeated or an added parameter', async () => {
    const twice = await service.send(`${presign()}&X-Amz-Date=20260101T120000Z`);
    expect(twice.json.message).toBe('X-Amz-Date: It occurs 2 times. Send it once.');
    const added = await service.send(`${presign()}&a=1`);
    expect(added.json.differs.part).toBe('Signature');
    expect(added.json.canonicalRequest).toContain('&a=1\nhost:');
  });
});
