import { createHmac } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { demoCredentials } from '../support/demo-credentials.js';
import { useService } from '../support/service.js';

const nowSeconds = 1_767_225_600;
const service = useService({ now: () => nowSeconds * 1000 });
const path = '/api/auth/hmac';
let secret: string;
beforeAll(async () => {
  secret = (await demoCredentials(service)).hmac.secret;
});

function sign(timestamp: number, body: Uint8Array): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

function post(body: Uint8Array, headers: Record<string, string>) {
  return service.send(`POST ${path}`, { headers, body });
}

test.each([
  ['JSON', 'application/json', Buffer.from('{"a": 1}')],
  ['invalid JSON', 'application/json', Buffer.from('{"a"')],
  ['any bytes', 'application/octet-stream', Buffer.from([0, 255, 10, 13, 0])],
  ['nothing', 'text/plain', Buffer.alloc(0)],
  ['half a mebibyte', 'text/plain', Buffer.alloc(512 * 1024, 'x')],
])(
  'a signature over the raw body is accepted, with or without its prefix: %s',
  async (_name, type, body) => {
    for (const prefix of ['', 'sha256=']) {
      const { status, json } = await post(body, {
        'Content-Type': type,
        'X-Timestamp': String(nowSeconds),
        'X-Signature': prefix + sign(nowSeconds, body),
      });
      expect(status).toBe(200);
      expect(json).toEqual({
        authenticated: true,
        scheme: 'hmac-sha256',
        timestamp: nowSeconds,
        bodyLength: body.length,
      });
    }
  },
);

test.each([
  ['300 seconds old', -300, 200],
  ['301 seconds old', -301, 401],
  ['300 seconds ahead', 300, 200],
  ['301 seconds ahead', 301, 401],
])('a request %s', async (_name, offset, expected) => {
  const timestamp = nowSeconds + offset;
  const body = Buffer.from('x');
  const { status } = await post(body, {
    'X-Timestamp': String(timestamp),
    'X-Signature': sign(timestamp, body),
  });
  expect(status).toBe(expected);
});

test('each rejection names the wrong part, never the right signature', async () => {
  const body = Buffer.from('x');
  const good = sign(nowSeconds, body);
  const cases: [Record<string, string>, RegExp][] = [
    [{}, /X-Timestamp is missing/],
    [{ 'X-Timestamp': 'now', 'X-Signature': good }, /X-Timestamp must be/],
    [{ 'X-Timestamp': String(nowSeconds) }, /X-Signature is missing/],
    [{ 'X-Timestamp': String(nowSeconds), 'X-Signature': 'x' }, /X-Signature must be/],
    [
      { 'X-Timestamp': String(nowSeconds), 'X-Signature': good.replace(/./g, '0') },
      /signature is wrong/,
    ],
  ];
  for (const [headers, message] of cases) {
    const { status, headers: received, json, text } = await post(body, headers);
    expect(status).toBe(401);
    expect(json.message).toMatch(message);
    expect(received['www-authenticate']).toBe('HMAC-SHA256 realm="Practice API"');
    expect(text).not.toContain(good);
  }
});

test('a repeated header is ambiguous', async () => {
  const { status } = await service.send(`POST ${path}`, {
    headers: [
      ['X-Timestamp', String(nowSeconds)],
      ['X-Timestamp', String(nowSeconds)],
    ],
  });
  expect(status).toBe(400);
});

test('a body over a mebibyte is 413', async () => {
  const signed = { 'X-Timestamp': String(nowSeconds), 'X-Signature': '0'.repeat(64) };
  expect((await post(Buffer.alloc(1024 * 1024 + 1), signed)).status).toBe(413);
});
