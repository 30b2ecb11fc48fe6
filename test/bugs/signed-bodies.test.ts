import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { hunter, seedOf } from './hunter.js';

const service = useService();
const path = '/api/webhooks/samples/github';
const headers = { 'Content-Type': 'application/json' };

async function signed(body: string | Buffer, query = '') {
  const tester = hunter(service);
  await tester.switchOn('senior', 1, seedOf('webhook-signed-as-parsed'));
  const { json, text, headers: got } = await tester.call(`POST ${path}${query}`, { headers, body });
  expect(Number(got['content-length'])).toBe(Buffer.byteLength(text));
  const mac = (bytes: string | Buffer) =>
    `sha256=${createHmac('sha256', json.secret).update(bytes).digest('hex')}`;
  const verified = await tester.call('POST /api/webhooks/verify/github', {
    headers: json.headers,
    body: Buffer.from(json.body, json.bodyEncoding ?? 'utf8'),
  });
  return { json, signature: json.headers['X-Hub-Signature-256'], mac, verdict: verified.json };
}

describe('the bug webhook-signed-as-parsed', () => {
  test.each([
    ['white space', '{"a": 1}', '{"a":1}'],
    ['a list', '[1,\n2]', '[1,2]'],
    ['an escape', '{"a":"\\u00e9"}', '{"a":"é"}'],
    ['a large body', `{ "a": "${'é'.repeat(200_000)}" }`, `{"a":"${'é'.repeat(200_000)}"}`],
  ])('shows the body as sent, which its signature does not match: %s', async (_name, sent, as) => {
    const { json, signature, mac, verdict } = await signed(sent);
    expect(json.body).toBe(sent);
    expect(signature).toBe(mac(as));
    expect(signature).not.toBe(mac(sent));
    expect(verdict.verified).toBe(false);
  });

  test.each([
    ['compact JSON', '{"a":1}'],
    ['no JSON', '{ "a"'],
    ['Latin-1', Buffer.from('{ "a": "é" }', 'latin1')],
  ])('does not appear with %s', async (_name, sent) => {
    const { signature, mac, verdict } = await signed(sent);
    expect(signature).toBe(mac(sent));
    expect(verdict.verified).toBe(true);
  });

  test('leaves a requested change of the body', async () => {
    const { json } = await signed('{"a": 1}', '?tamper=body');
    expect(json.body).not.toBe('{"a": 1}');
  });
});
