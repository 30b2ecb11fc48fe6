import { createHmac } from 'node:crypto';
import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { caseCount } from '../support/case-count.js';
import { useService } from '../support/service.js';

const nowSeconds = Date.UTC(2030, 0, 2, 3, 4, 5) / 1000;
const service = useService({ now: () => nowSeconds * 1000 });
const body = '{"amount": 4200}\n';
let secret = '';

beforeAll(async () => {
  secret = (await service.send('GET /api/webhooks/samples')).json.signingSecret;
});

const hex = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
const base64 = (text: string) =>
  createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(text)
    .digest('base64');

async function verify(
  scheme: string,
  headers: Readonly<Record<string, string>>,
  sent: string | Buffer = body,
) {
  const delivery = { headers, body: sent };
  return (await service.send(`POST /api/webhooks/verify/${scheme}`, delivery)).json;
}

describe('a time that is not in seconds', () => {
  const units = [
    ['milliseconds', '000'],
    ['microseconds', '000000'],
    ['nanoseconds', '000000000'],
  ];
  const stripe = (time: string) => ({
    'Stripe-Signature': `t=${time},v1=${hex(`${time}.${body}`)}`,
  });
  const standard = (time: string) => ({
    'webhook-id': '1',
    'webhook-timestamp': time,
    'webhook-signature': `v1,${base64(`1.${time}.${body}`)}`,
  });

  test.each(units)('but in %s is named', async (unit, zeros) => {
    const time = `${nowSeconds}${zeros}`;
    for (const [scheme, headers] of [
      ['stripe', stripe(time)],
      ['standard-webhooks', standard(time)],
    ] as const) {
      const verdict = await verify(scheme, headers);
      expect(verdict).toMatchObject({ verified: false, part: 'timestamp' });
      expect(verdict.message).toContain(
        `The signature is valid, but its time ${time} is in ${unit}`,
      );
      expect(verdict.message).toContain(`uses Unix seconds, such as ${nowSeconds}.`);
      expect(verdict).not.toHaveProperty('warning');
    }
  });

  test.each(units)('but in %s is named beside a wrong signature', async (unit, zeros) => {
    const headers = {
      'Stripe-Signature': `t=${nowSeconds}${zeros},v1=${hex(`${nowSeconds}.${body}`)}`,
    };
    const verdict = await verify('stripe', headers);
    expect(verdict).toMatchObject({ verified: false, part: 'timestamp' });
    expect(verdict.message).toMatch(new RegExp(`^The time \\d+ is in ${unit};`));
  });

  test('is judged on a captured request', async () => {
    const { id } = (await service.send('POST /api/webhooks/bins')).json;
    await service.send(`POST /api/webhooks/${id}`, { headers: stripe(`${nowSeconds}000`), body });
    const [{ signature }] = (await service.send(`GET /api/webhooks/bins/${id}/requests`)).json;
    expect(signature).toMatchObject({ provider: 'stripe', verified: false, part: 'timestamp' });
  });

  test.each([253_402_300_799, nowSeconds + 3600])('in seconds is %d', async (time) => {
    expect(await verify('stripe', stripe(String(time)))).toMatchObject({
      verified: true,
      warning: expect.stringContaining('Unusual: a time more than 300 seconds ahead.'),
    });
  });

  test('is ignored where a library reads another t', async () => {
    const v1 = hex(`${nowSeconds}.${body}`);
    const headers = { 'Stripe-Signature': `t=${nowSeconds},t=${nowSeconds}000,v1=${v1}` };
    const { verified, warning } = await verify('stripe', headers);
    expect(verified).toBe(true);
    expect(warning).toContain('Rejected by Node.js, Go.');
  });
});

test('no list of a warning is empty', async () => {
  const signed = hex(`${nowSeconds}.${body}`);
  const element = fc.oneof(
    fc.constantFrom(`t=${nowSeconds}`, `v1=${signed}`, `v1=${signed.toUpperCase()}`, 't=', 'v1='),
    fc.stringMatching(/^[ \t]?(t|v1|v0|x)?[= ,]{0,2}[\w.=-]{0,4}$/),
    fc.integer({ min: 0, max: 400_000_000_000 }).map((time) => `t=${time}`),
  );
  const added = fc.array(element, { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(added, added, async (before, after) => {
      const elements = [...before, `t=${nowSeconds},v1=${signed}`, ...after];
      const headers = { 'Stripe-Signature': elements.join(',').trim() };
      const { verified, warning = 'Rejected by a. Unusual: b.' } = await verify('stripe', headers);
      if (verified) expect(warning).toMatch(/Rejected by \S.*Unusual: \S/);
      expect(warning).not.toMatch(/(?:by|:) ?\.|: *;|; *[;.]/);
    }),
    { numRuns: caseCount(100) },
  );
});

describe('the body before it was compressed', () => {
  const headers = (more: Record<string, string> = {}) => ({
    'X-Hub-Signature-256': `sha256=${hex(body)}`,
    ...more,
  });

  test.each([
    ['gzip', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['gzip', gzipSync(body, { level: 1 })],
  ] as const)('by %s without Content-Encoding is found', async (coding, sent) => {
    expect(await verify('github', headers(), sent)).toMatchObject({
      verified: false,
      part: 'body',
      message: expect.stringContaining(
        `before it was compressed (${coding}), and has no Content-Encoding: ${coding}`,
      ),
    });
  });

  test.each(['br', 'identity', 'deflate', 'unknown'])(
    'with Content-Encoding %s is found',
    async (label) => {
      const verdict = await verify(
        'github',
        headers({ 'Content-Encoding': label }),
        gzipSync(body),
      );
      expect(verdict).toMatchObject({ verified: false, part: 'body' });
      expect(verdict.message).toContain('and has no Content-Encoding: gzip');
    },
  );

  test('is named once where Content-Encoding came', async () => {
    const verdict = await verify('github', headers({ 'Content-Encoding': 'gzip' }), gzipSync(body));
    expect(verdict.message).toContain('before it was compressed (gzip). Verify');
  });

  test('is not found in other bytes that begin alike', async () => {
    const verdict = await verify('github', headers(), Buffer.from([0x1f, 0x8b, 0x00, 0x01]));
    expect(verdict).toMatchObject({ verified: false, part: 'signature' });
  });
});
