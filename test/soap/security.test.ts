import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseXml } from '../../src/http/xml/parse-xml.js';
import { useService } from '../support/service.js';
import { calculatorPath, type VersionName, versionNames } from '../support/soap.js';
import {
  at,
  type CallOptions,
  callSecurely,
  child,
  digest,
  named,
  nowMs,
  plain,
  readOutcome,
  securePath,
  security,
  timestamp,
  token,
  type,
  user,
} from './secure-messages.js';

const service = useService({ now: () => nowMs });

const call = (header: string, version?: VersionName, options?: CallOptions) =>
  callSecurely(service, header, version, options);

describe.each(versionNames)('WS-Security in SOAP %s', (version) => {
  const status = version === '1.1' ? 500 : 400;
  const mustUnderstand = ` e:mustUnderstand="${version === '1.1' ? '1' : 'true'}"`;

  test.each([
    ['a password as text', () => timestamp() + plain()],
    ['a password without a Type', () => timestamp() + named('<w:Password>ada-secret</w:Password>')],
    ['a digest', () => timestamp() + digest()],
    ['the token first', () => digest() + timestamp()],
    ['a digest of a short nonce', () => timestamp() + digest({ nonce: randomBytes(3) })],
    ['a digest of a long nonce', () => timestamp() + digest({ nonce: randomBytes(768) })],
    [
      'a text with nonce and Created',
      () =>
        timestamp() +
        plain(
          'ada-secret',
          `<w:Nonce>${randomBytes(9).toString('base64')}</w:Nonce><u:Created>${at(0)}</u:Created>`,
        ),
    ],
    ['Created 300 s ago', () => timestamp() + digest({ created: at(-300) })],
    ['Created in 60 s', () => timestamp(at(60)) + digest({ created: at(60) })],
    [
      'times with an offset',
      () => timestamp('2026-01-01T13:00:00+01:00', '2026-01-01T07:00:01.5-05:00') + plain(),
    ],
    ['times in seconds', () => timestamp('2026-01-01T12:00:00Z', '2026-01-01T12:00:01Z') + plain()],
    [
      'white space around values',
      () =>
        timestamp(`\n ${at(0)}\n`) +
        digest({ created: at(0) }).replace('<w:Nonce>', '<w:Nonce>\n '),
    ],
  ])('accepts: %s', async (_name, inside) => {
    expect(await call(security(inside()), version)).toEqual({ status: 200, value: '5' });
    expect(await call(security(inside(), mustUnderstand), version)).toEqual({
      status: 200,
      value: '5',
    });
  });

  const wrong: readonly (readonly [code: string, reason: RegExp, inside: () => string])[] = [
    [
      'FailedAuthentication',
      /^The user name or the password is wrong\. GET \/api\/auth/,
      () => timestamp() + plain('wrong'),
    ],
    [
      'FailedAuthentication',
      /^The user name or the password is wrong/,
      () => timestamp() + named('<w:Password>ada-secret</w:Password>', 'bob'),
    ],
    ['FailedAuthentication', /white space around/, () => timestamp() + plain(' ada-secret\n')],
    [
      'FailedAuthentication',
      /looks like a digest/,
      () => timestamp() + digest().replace('PasswordDigest', 'PasswordText'),
    ],
    [
      'FailedAuthentication',
      /^The digest is wrong\. The user name or the password is wrong/,
      () => timestamp() + digest({ password: 'wrong' }),
    ],
    [
      'FailedAuthentication',
      /^The digest is wrong\. The user name or the password is wrong/,
      () => timestamp() + digest({ username: 'bob' }),
    ],
    [
      'FailedAuthentication',
      /hashed as base64 text/,
      () =>
        timestamp() +
        digest({
          parts: (nonce, created, password) => [nonce.toString('base64'), created, password],
        }),
    ],
    [
      'FailedAuthentication',
      /order was nonce, password, created/,
      () =>
        timestamp() + digest({ parts: (nonce, created, password) => [nonce, password, created] }),
    ],
    [
      'FailedAuthentication',
      /order was created, nonce, password/,
      () =>
        timestamp() + digest({ parts: (nonce, created, password) => [created, nonce, password] }),
    ],
    [
      'FailedAuthentication',
      /order was password, created, nonce/,
      () =>
        timestamp() + digest({ parts: (nonce, created, password) => [password, created, nonce] }),
    ],
    [
      'FailedAuthentication',
      /Created was left out/,
      () => timestamp() + digest({ parts: (nonce, _, password) => [nonce, password] }),
    ],
    [
      'FailedAuthentication',
      /nonce was left out/,
      () => timestamp() + digest({ parts: (_nonce, created, password) => [created, password] }),
    ],
    [
      'FailedAuthentication',
      /Only the password/,
      () => timestamp() + digest({ parts: (_nonce, _created, password) => [password] }),
    ],
    [
      'FailedAuthentication',
      /Created of the Timestamp/,
      () =>
        timestamp(at(-1)) + digest({ parts: (nonce, _, password) => [nonce, at(-1), password] }),
    ],
    [
      'FailedAuthentication',
      /password was hashed twice/,
      () =>
        timestamp() +
        digest({
          parts: (nonce, created, password) => [
            nonce,
            created,
            createHash('sha1').update(password).digest(),
          ],
        }),
    ],
    [
      'FailedAuthentication',
      /in hex/,
      () => timestamp() + digest({ encode: (hash) => hash.toString('hex') }),
    ],
    [
      'FailedAuthentication',
      /base64 of the hex/,
      () =>
        timestamp() +
        digest({ encode: (hash) => Buffer.from(hash.toString('hex')).toString('base64') }),
    ],
    [
      'FailedAuthentication',
      /computed with sha256/,
      () => timestamp() + digest({ algorithm: 'sha256' }),
    ],
    [
      'FailedAuthentication',
      /the password itself/,
      () => timestamp() + digest({ encode: () => 'ada-secret' }),
    ],
    ['FailedAuthentication', /digest is wrong/, () => timestamp() + digest({ encode: () => '' })],
    [
      'InvalidSecurityToken',
      /Nonce is 'a\*b', which is not base64/,
      () => timestamp() + digest().replace(/<w:Nonce>.*<\/w:Nonce>/, '<w:Nonce>a*b</w:Nonce>'),
    ],
    [
      'InvalidSecurityToken',
      /Nonce is empty/,
      () => timestamp() + digest().replace(/<w:Nonce>.*<\/w:Nonce>/, '<w:Nonce/>'),
    ],
    [
      'InvalidSecurityToken',
      /Nonce has 1028 characters/,
      () => timestamp() + digest({ nonce: randomBytes(769) }),
    ],
    [
      'InvalidSecurityToken',
      /EncodingType of the Nonce is 'urn:hex'/,
      () => timestamp() + digest().replace('<w:Nonce>', '<w:Nonce EncodingType="urn:hex">'),
    ],
    [
      'InvalidSecurityToken',
      /has no Nonce, which PasswordDigest needs/,
      () => timestamp() + digest().replace(/<w:Nonce>.*<\/w:Nonce>/, ''),
    ],
    [
      'InvalidSecurityToken',
      /has no Created, which PasswordDigest needs/,
      () => timestamp() + digest().replace(/<u:Created>.*<\/u:Created>/, ''),
    ],
    [
      'InvalidSecurityToken',
      /a Nonce, but no Created/,
      () => timestamp() + plain('ada-secret', '<w:Nonce>AAAA</w:Nonce>'),
    ],
    ['InvalidSecurityToken', /UsernameToken has no Password/, () => timestamp() + named('')],
    [
      'InvalidSecurityToken',
      /UsernameToken has no Username/,
      () => timestamp() + token('<w:Password>a</w:Password>'),
    ],
    [
      'InvalidSecurityToken',
      /has 2 Password elements/,
      () => timestamp() + plain('a', '<w:Password>b</w:Password>'),
    ],
    [
      'InvalidSecurityToken',
      /has 2 Nonce elements/,
      () => timestamp() + plain('a', '<w:Nonce>AAAA</w:Nonce><w:Nonce>AAAA</w:Nonce>'),
    ],
    [
      'InvalidSecurityToken',
      /'Created' in the namespace .* Its namespace must be .*utility/,
      () => timestamp() + plain('a', `<w:Created>${at(0)}</w:Created>`),
    ],
    [
      'InvalidSecurityToken',
      /has 'Other'.*It must have Username, Password, Nonce, Created/,
      () => timestamp() + plain('a', '<w:Other/>'),
    ],
    [
      'InvalidSecurityToken',
      /Created of the UsernameToken is 61 s in the future, but only 60 s/,
      () => timestamp() + digest({ created: at(61) }),
    ],
    [
      'InvalidSecurityToken',
      /Created of the UsernameToken is '2026-01-01T12:00:00'. It must/,
      () => timestamp() + digest({ created: '2026-01-01T12:00:00' }),
    ],
    [
      'InvalidSecurityToken',
      /Created of the UsernameToken is 'now'/,
      () => timestamp() + digest({ created: 'now' }),
    ],
    [
      'InvalidSecurityToken',
      /Created of the UsernameToken is '2026-02-30/,
      () => timestamp() + digest({ created: '2026-02-30T12:00:00Z' }),
    ],
    [
      'MessageExpired',
      /Created of the UsernameToken is 301 s old, but only 300 s are allowed: the service's clock is at 2026-01-01T12:00:00.000Z/,
      () => timestamp() + digest({ created: at(-301) }),
    ],
    [
      'MessageExpired',
      /The Timestamp expired 5 s ago: the service's clock is at 2026/,
      () => timestamp(at(-10), at(-5)) + plain(),
    ],
    ['MessageExpired', /The Timestamp expired 0 s ago/, () => timestamp(at(-10), at(0)) + plain()],
    [
      'InvalidSecurity',
      /Created of the Timestamp is 61 s in the future/,
      () => timestamp(at(61)) + plain(),
    ],
    [
      'InvalidSecurity',
      /Expires must be later than Created/,
      () => timestamp(at(10), at(5)) + plain(),
    ],
    ['InvalidSecurity', /Expires of the Timestamp is ''/, () => timestamp(at(0), '') + plain()],
    [
      'InvalidSecurity',
      /Timestamp has no Expires/,
      () => `<u:Timestamp><u:Created>${at(0)}</u:Created></u:Timestamp>${plain()}`,
    ],
    [
      'InvalidSecurity',
      /Timestamp has no Created/,
      () => `<u:Timestamp><u:Expires>${at(9)}</u:Expires></u:Timestamp>${plain()}`,
    ],
    [
      'InvalidSecurity',
      /Created must come before Expires/,
      () =>
        `<u:Timestamp><u:Expires>${at(9)}</u:Expires><u:Created>${at(0)}</u:Created></u:Timestamp>${plain()}`,
    ],
    [
      'InvalidSecurity',
      /has 2 Created elements/,
      () =>
        `<u:Timestamp><u:Created>${at(0)}</u:Created><u:Created>${at(0)}</u:Created></u:Timestamp>${plain()}`,
    ],
    [
      'InvalidSecurity',
      /Timestamp has 'Other'/,
      () => `<u:Timestamp><u:Other/></u:Timestamp>${plain()}`,
    ],
    ['InvalidSecurity', /The Security header has no Timestamp/, plain],
    ['InvalidSecurity', /has no UsernameToken/, () => timestamp()],
    ['InvalidSecurity', /has no Timestamp/, () => ''],
    ['InvalidSecurity', /has 2 UsernameToken elements/, () => timestamp() + plain() + plain()],
    ['InvalidSecurity', /has 2 Timestamp elements/, () => timestamp() + timestamp() + plain()],
    [
      'InvalidSecurity',
      /has 'Timestamp' in the namespace .* Its namespace must be/,
      () => '<w:Timestamp/>',
    ],
    [
      'InvalidSecurity',
      /has 'Other' in the namespace 'urn:a'. It must have/,
      () => '<o:Other xmlns:o="urn:a"/>',
    ],
    [
      'UnsupportedAlgorithm',
      /Signatures and encryption are not supported/,
      () => `${timestamp()}${plain()}<s:Signature xmlns:s="http://www.w3.org/2000/09/xmldsig#"/>`,
    ],
    [
      'UnsupportedAlgorithm',
      /EncryptedKey/,
      () => '<x:EncryptedKey xmlns:x="http://www.w3.org/2001/04/xmlenc#"/>',
    ],
    [
      'UnsupportedSecurityToken',
      /BinarySecurityToken.*The only supported token is a UsernameToken/,
      () => `${timestamp()}<w:BinarySecurityToken/>`,
    ],
    [
      'UnsupportedSecurityToken',
      /Assertion/,
      () => '<s:Assertion xmlns:s="urn:oasis:names:tc:SAML:2.0:assertion"/>',
    ],
    [
      'UnsupportedSecurityToken',
      /Type of the Password is 'urn:other'/,
      () => timestamp() + plain().replace(type('Text'), 'urn:other'),
    ],
    [
      'UnsupportedSecurityToken',
      /Salt, but keys derived/,
      () =>
        timestamp() +
        plain(
          'a',
          '<k:Salt xmlns:k="http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd">AAAA</k:Salt>',
        ),
    ],
  ];
  test.each(wrong)('%s: %s', async (code, reason, inside) => {
    const outcome = await call(security(inside()), version);
    expect(outcome).toEqual({ status, code, reason: expect.stringMatching(reason) });
  });

  test.each<[string, string, RegExp, () => string]>([
    ['no header', 'InvalidSecurity', /has no wsse:Security header/, () => ''],
    [
      'a header of a draft',
      'InvalidSecurity',
      /'Security' in the namespace 'urn:draft'. The namespace must/,
      () => '<w:Security xmlns:w="urn:draft"/>',
    ],
    [
      'two headers',
      'InvalidSecurity',
      /has 2 Security headers/,
      () => security(timestamp() + plain()) + security(''),
    ],
    [
      'a header with another actor',
      'InvalidSecurity',
      /for this service/,
      () =>
        security(timestamp() + plain(), ` e:${version === '1.1' ? 'actor' : 'role'}="urn:other"`),
    ],
  ])('%s is rejected', async (_name, code, reason, header) => {
    const outcome = await call(header(), version);
    expect(outcome).toEqual({ status, code, reason: expect.stringMatching(reason) });
  });

  test('a header with another actor is ignored beside the right one', async () => {
    const other = security(
      '<o:Other xmlns:o="urn:a"/>',
      ` e:${version === '1.1' ? 'actor' : 'role'}="urn:other"`,
    );
    expect(await call(other + security(timestamp() + plain()), version)).toMatchObject({
      value: '5',
    });
  });

  test('an encrypted Body is rejected', async () => {
    const content = '<x:EncryptedData xmlns:x="http://www.w3.org/2001/04/xmlenc#"/>';
    const outcome = await call(security(timestamp() + plain()), version, { content });
    expect(outcome).toMatchObject({
      code: 'UnsupportedAlgorithm',
      reason: 'The Body is encrypted, which is not supported.',
    });
  });

  test('other headers with mustUnderstand are rejected', async () => {
    const other = `<t:Trace xmlns:t="urn:t"${mustUnderstand}/>`;
    const outcome = await call(security(timestamp() + plain()) + other, version);
    expect(outcome).toMatchObject({
      status: 500,
      reason: expect.stringMatching(/only Security is supported: 'Trace'/),
    });
  });

  test('the other services support no Security header, and ignore one without mustUnderstand', async () => {
    const header = (attributes: string) => security(timestamp() + plain(), attributes);
    const demanded = await call(header(mustUnderstand), version, { at: calculatorPath });
    expect(demanded).toMatchObject({
      status: 500,
      reason: expect.stringMatching(
        /no header entry is supported.* \/api\/soap\/secure supports Security\./,
      ),
    });
    expect(await call(header(''), version, { at: calculatorPath })).toEqual({
      status: 200,
      value: '5',
    });
  });

  test('a nonce is used up by a right token, in its sandbox only', async () => {
    const nonce = randomBytes(16);
    const failing = security(timestamp() + digest({ nonce, password: 'wrong' }));
    expect(await call(failing, version)).toMatchObject({ code: 'FailedAuthentication' });
    const message = security(timestamp() + digest({ nonce }));
    expect(await call(message, version)).toMatchObject({ value: '5' });
    const replayed = {
      status,
      code: 'InvalidSecurity',
      reason: expect.stringMatching(/^The Nonce was used before/),
    };
    expect(await call(message, version)).toEqual(replayed);
    // The same bytes in another message.
    expect(await call(security(timestamp() + digest({ nonce, created: at(-1) })), version)).toEqual(
      replayed,
    );
    expect(await call(message, version, { sandbox: 'other' })).toMatchObject({ value: '5' });
    expect(await call(message, version, { at: `/s/third${securePath}` })).toMatchObject({
      value: '5',
    });
    expect(await call(message, version, { at: `/s/third${securePath}` })).toEqual(replayed);
  });
});

test('of concurrent messages with one nonce, one succeeds', async () => {
  const message = security(timestamp() + digest());
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => call(message)));
  expect(outcomes.filter(({ value }) => value === '5')).toHaveLength(1);
});

test('the clock of a sandbox applies', async () => {
  await service.send('PUT /s/later/api/sandbox/clock', { json: { offsetSeconds: 3600 } });
  const options = { at: `/s/later${securePath}` };
  expect(await call(security(timestamp() + plain()), '1.1', options)).toMatchObject({
    code: 'MessageExpired',
  });
  const later = security(timestamp(at(3600), at(3700)) + digest({ created: at(3600) }));
  expect(await call(later, '1.1', options)).toMatchObject({ value: '5' });
});

describe('the exact end of a token', () => {
  let laterMs = 0;
  const timed = useService({ now: () => nowMs + laterMs });
  /** Sends it some milliseconds after Created. */
  const callAfter = (ms: number, header: string) => {
    laterMs = ms;
    return callSecurely(timed, header);
  };
  const fresh = () => security(timestamp(at(0), at(600)) + digest());

  test.each([0, 1, 299_999, 300_000])('a nonce is rejected again after %i ms', async (ms) => {
    const message = fresh();
    expect(await callAfter(0, message)).toMatchObject({ value: '5' });
    expect(await callAfter(ms, message)).toMatchObject({
      code: 'InvalidSecurity',
      reason: expect.stringContaining('The Nonce was used before'),
    });
  });

  test('is accepted for 300 s, and not a millisecond longer', async () => {
    expect(await callAfter(300_000, fresh())).toMatchObject({ value: '5' });
    expect(await callAfter(300_001, fresh())).toMatchObject({ code: 'MessageExpired' });
  });

  test('Created may be 60 s ahead, and not a millisecond more', async () => {
    const ahead = () => security(timestamp(at(60), at(600)) + digest({ created: at(60) }));
    expect(await callAfter(0, ahead())).toMatchObject({ value: '5' });
    expect(await callAfter(-1, ahead())).toMatchObject({ code: 'InvalidSecurity' });
  });

  test('a Timestamp has expired at Expires', async () => {
    const short = () => security(timestamp(at(0), at(100)) + digest());
    expect(await callAfter(99_999, short())).toMatchObject({ value: '5' });
    expect(await callAfter(100_000, short())).toMatchObject({ code: 'MessageExpired' });
  });
});

test('the usage has messages that work, and GET /api/auth the user', async () => {
  const { json } = await service.send(`GET ${securePath}`);
  for (const [name, version] of [
    ['soap11', '1.1'],
    ['soap12', '1.2'],
  ] as const) {
    const { contentType, sample } = json[name];
    const headers = { 'Content-Type': contentType };
    const { status, text } = await service.send(`POST ${securePath}`, { headers, body: sample });
    expect(readOutcome(status, text, version)).toEqual({ status: 200, value: '16' });
  }
  expect((await service.send('GET /api/auth')).json.credentials.soap).toEqual(user);
});

test('the WSDL requires a UsernameToken with WS-SecurityPolicy', async () => {
  const { text } = await service.send(`GET ${securePath}?wsdl`);
  const root = parseXml(text);
  const policy = child(root, 'Policy');
  expect(child(policy, 'SupportingTokens')).toBeDefined();
  const bindings = root.children.filter(({ name }) => name === 'binding');
  expect(bindings.map(({ children }) => children[0]?.name)).toEqual([
    'PolicyReference',
    'PolicyReference',
  ]);
  expect((await service.send(`GET ${calculatorPath}?wsdl`)).text).not.toContain('Policy');
});
