/** A UsernameToken without a Timestamp, as many clients send it. */

import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { versionNames } from '../support/soap.js';
import {
  at,
  callSecurely,
  digest,
  nowMs,
  plain,
  securePath,
  security,
  timestamp,
} from './secure-messages.js';

const service = useService({ now: () => nowMs });
const optional = `${securePath}?timestamp=optional`;

describe.each(versionNames)('with ?timestamp=optional over SOAP %s', (version) => {
  const call = (inside: string, target = optional) =>
    callSecurely(service, security(inside), version, { at: target });

  test.each<[string, () => string]>([
    ['a text', plain],
    ['a digest', digest],
    ['a digest after a right Timestamp', () => timestamp() + digest()],
  ])('%s is accepted', async (_name, inside) => {
    expect(await call(inside())).toMatchObject({ status: 200, value: '5' });
    expect(await call(inside(), `/s/optional${optional}&any=1`)).toMatchObject({ value: '5' });
  });

  test.each<[string, string, RegExp, () => string]>([
    [
      'an expired Timestamp',
      'MessageExpired',
      /expired 5 s ago/,
      () => timestamp(at(-20), at(-5)) + plain(),
    ],
    ['half a Timestamp', 'InvalidSecurity', /has no Created/, () => `<u:Timestamp/>${plain()}`],
    ['two', 'InvalidSecurity', /has 2 Timestamp/, () => timestamp() + timestamp() + plain()],
    ['a wrong password', 'FailedAuthentication', /is wrong/, () => plain('wrong')],
    [
      'an old token',
      'MessageExpired',
      /Created of the UsernameToken is 400 s old/,
      () => digest({ created: at(-400) }),
    ],
    [
      'a digest without Created',
      'FailedAuthentication',
      /Created was left out/,
      () => digest({ parts: (nonce, _created, password) => [nonce, password] }),
    ],
    ['no token', 'InvalidSecurity', /has no UsernameToken/, () => ''],
  ])('%s is judged', async (_name, code, reason, inside) => {
    const outcome = await call(inside());
    expect(outcome).toMatchObject({ code, reason: expect.stringMatching(reason) });
  });

  test('a nonce is used up', async () => {
    const inside = digest();
    expect(await call(inside)).toMatchObject({ value: '5' });
    expect(await call(inside)).toMatchObject({ code: 'InvalidSecurity' });
  });

  test.each([securePath, `${securePath}?timestamp=required`])('%s requires one', async (target) => {
    expect(await call(plain(), target)).toMatchObject({
      code: 'InvalidSecurity',
      reason:
        'The Security header has no Timestamp. Send one, or add ?timestamp=optional to the URL.',
    });
  });
});

test('the WSDL and the usage keep the parameter in their URLs', async () => {
  const { text } = await service.send(`GET ${securePath}?wsdl&timestamp=optional`);
  expect(text).toContain(`location="${service.url}${optional}"`);
  const { json } = await service.send(`GET /s/kept${optional}`);
  expect(json.wsdl).toBe(`${service.url}/s/kept${optional}&wsdl`);
  const usual = await service.send(`GET ${securePath}?wsdl&timestamp=required`);
  expect(usual.text).toContain(`location="${service.url}${securePath}"`);
});

test.each(['', 'never', 'Optional'])('the value %j is rejected', async (value) => {
  const target = `${securePath}?timestamp=${value}`;
  for (const method of ['GET', 'POST']) {
    const headers = { 'Content-Type': 'text/xml; charset=utf-8' };
    const { status, text } = await service.send(`${method} ${target}`, { headers });
    expect(status).toBe(400);
    expect(text).toContain('timestamp must be one of required, optional');
  }
});
