import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { at, callSecurely, digest, nowMs, security, timestamp } from './secure-messages.js';

const service = useService({ now: () => nowMs });

test('a full memory of nonces rejects new ones until some expire', async () => {
  const options = { sandbox: 'full' };
  const messages = Array.from({ length: 5000 }, () => security(timestamp() + digest()));
  for (let start = 0; start < messages.length; start += 100) {
    const outcomes = await Promise.all(
      messages
        .slice(start, start + 100)
        .map((message) => callSecurely(service, message, '1.1', options)),
    );
    expect(outcomes.every(({ value }) => value === '5')).toBe(true);
  }
  const { status, code, reason } = await callSecurely(
    service,
    security(timestamp() + digest()),
    '1.1',
    options,
  );
  expect({ status, code }).toEqual({ status: 500, code: 'Server' });
  expect(reason).toMatch(/^This sandbox has stored 5000 nonces/);
  await service.send('PUT /api/sandbox/clock', {
    headers: { 'X-Sandbox': 'full' },
    json: { offsetSeconds: 400 },
  });
  const later = security(timestamp(at(400), at(500)) + digest({ created: at(400) }));
  expect(await callSecurely(service, later, '1.1', options)).toMatchObject({ value: '5' });
});
