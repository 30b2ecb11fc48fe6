/**
 * Calls of sessions, signed messages and passkeys. Browser-made values differ each time, so they
 * are no examples.
 */

import { createPrivateKey, sign } from 'node:crypto';
import { rfcKeys } from '../../../src/areas/signatures/keys/rfc-keys.js';
import { placeholderHost } from '../../../src/http/caching/addressed-content.js';
import { alan } from '../../../src/http/credentials/practice-users.js';
import { totpAt } from '../../../src/http/credentials/totp.js';
import { Authenticator } from '../../passkeys/authenticator.js';
import { rfcExamples } from '../../signatures/rfc-examples.js';
import type { Caller, CallRequest, CallTable, HttpResponse } from '../caller.js';
import { nowMs } from '../now.js';

const isNoExample = true;
const formType = 'application/x-www-form-urlencoded';
const ada = { username: 'ada', password: 'ada-secret' };

const withCookie = (cookie: string, sandbox: string): CallRequest => ({
  headers: { 'X-Sandbox': sandbox, ...(cookie && { Cookie: cookie }) },
});
const cookieIn = ({ headers }: HttpResponse): string =>
  String(headers['set-cookie'] ?? '')
    .split(/,(?=[^;]+=)/)
    .map((line) => line.split(';', 1)[0])
    .join('; ');

export const callSession: CallTable = async (caller) => {
  const login = await caller.call('postAuthSessionLogin', 'The right password', { json: ada });
  const own = { headers: { Cookie: cookieIn(login) } };
  await caller.call('getAuthSessionMe', 'Ada', own);
  await caller.call('getAuthSessionMe', 'Not logged in');
  await caller.call('getAuthSessionCsrf', 'A token', { isNoExample });
  await caller.call('postAuthSessionLogoutEverywhere', 'Ada', own);
  await caller.call('postAuthSessionLogoutEverywhere', 'Not logged in');
  await caller.call('postAuthSessionLogout', 'Not logged in');
  await callWrong(caller);
  for (const [operationId, codes] of [
    [
      'postAuthSessionTotp',
      [totpAt(alan.totpSecret ?? '', nowMs), totpAt(alan.totpSecret ?? '', nowMs + 30_000)],
    ],
    ['postAuthSessionRecovery', alan.recoveryCodes ?? []],
  ] as const) {
    await callSecondStep(caller, operationId, codes);
  }
  // By now the IP address has sent the maximum of wrong codes per minute, and the clock does not
  // move.
  const query = { user_code: 'BBBB-BBBB' };
  await caller.call('getOidcDevice', 'Too many wrong codes', { query });
  for (const operationId of ['postAuthSessionLogout', 'postAuthSessionLogoutEverywhere']) {
    const begun = await caller.send('postAuthSessionLogin', { json: ada });
    const form = await formCall(caller, cookieIn(begun), {});
    await caller.call(operationId, 'A form', form);
    await caller.call(operationId, 'A form without its token', { type: formType, body: 'a=b' });
  }
};

async function callWrong(caller: Caller): Promise<void> {
  const json = { username: 'ada', password: 'wrong' };
  const request = { headers: { 'X-Sandbox': 'guesses' }, json };
  await caller.call('postAuthSessionLogin', 'A wrong password', request);
  for (let attempt = 0; attempt < 4; attempt += 1)
    await caller.send('postAuthSessionLogin', request);
  await caller.call('postAuthSessionLogin', 'Five wrong attempts', request);
  const body = new URLSearchParams(ada).toString();
  await caller.call('postAuthSessionLogin', 'A form without its token', { type: formType, body });
  const form = await formCall(caller, '', ada);
  await caller.call('postAuthSessionLogin', 'A form', form);
}

/** A form of a browser, with the token for its cookies. */
async function formCall(
  caller: Caller,
  cookie: string,
  fields: Readonly<Record<string, string>>,
  sandbox = '',
): Promise<CallRequest> {
  const named = sandbox === '' ? {} : { 'X-Sandbox': sandbox };
  const given = await caller.send('getAuthSessionCsrf', {
    headers: { ...named, ...(cookie && { Cookie: cookie }) },
  });
  const all = [cookie, cookieIn(given)].filter(Boolean).join('; ');
  const csrf: string = given.json.csrfToken;
  return {
    headers: { ...named, Cookie: all, Accept: 'text/html' },
    type: formType,
    body: new URLSearchParams({ ...fields, csrf }).toString(),
    isNoExample,
  };
}

async function callSecondStep(
  caller: Caller,
  operationId: string,
  [code = '', next = '']: readonly string[],
): Promise<void> {
  const half = async (sandbox: string) =>
    cookieIn(
      await caller.send('postAuthSessionLogin', {
        headers: { 'X-Sandbox': sandbox },
        json: { username: 'alan', password: 'alan-secret' },
      }),
    );
  const sandbox = `second-${operationId.length}`;
  const right = { ...withCookie(await half(sandbox), sandbox), json: { code } };
  await caller.call(operationId, 'The right code', right);
  await caller.call(operationId, 'No login before it', { json: { code } });
  await caller.call(operationId, 'A form without its token', {
    type: formType,
    body: `code=${code}`,
  });
  const form = await formCall(caller, await half(sandbox), { code: next }, sandbox);
  await caller.call(operationId, 'A form', form);
  const wrong = { ...withCookie(await half(sandbox), sandbox), json: { code: 'wrong' } };
  for (let attempt = 0; attempt < 5; attempt += 1) await caller.send(operationId, wrong);
  await caller.call(operationId, 'Too many wrong codes', wrong);
}

export const callSignatures: CallTable = async (caller) => {
  await caller.call('getAuthSignature', 'No signature');
  await caller.call('postAuthSignature', 'No signature', { type: 'text/plain', body: 'Hello' });
  await caller.call('getAuthSignature', 'A signature, and one for the response', {
    headers: {
      ...signed('GET'),
      'Accept-Signature': 'sig=("@status" "content-digest");created',
      // The digest of the response covers it.
      'X-Request-Id': 'my-request',
    },
  });
  await caller.call('getAuthSignature', 'An impossible request for a signature', {
    headers: { ...signed('GET'), 'Accept-Signature': 'sig=("@method")' },
  });
  const digest = 'sha-256=:GF+NsyJx/iX1Yab8k4suJkMG7DBO2lGAB9F2SCY4GWk=:';
  await caller.call('postAuthSignature', 'A signed body', {
    headers: signed('POST', digest),
    type: 'text/plain',
    body: 'Hello',
  });
  const [, , example, response] = rfcExamples;
  const type = 'message/http';
  const text = (message: string): CallRequest => ({ type, body: message.replaceAll('\r\n', '\n') });
  await caller.call('postAuthSignatureVerify', 'A signed request', text(example?.message ?? ''));
  await caller.call('postAuthSignatureVerify', 'A signed response', text(response?.message ?? ''));
  const changed = (example?.message ?? '').replace('POST /foo', 'PUT /foo');
  await caller.call('postAuthSignatureVerify', 'Another method', text(changed));
  await caller.call('postAuthSignatureVerify', 'No message', text('Hello'));
};

/** Signed with Ed25519, which always returns the same signature for the same text. */
function signed(method: string, digest?: string): Readonly<Record<string, string>> {
  const { jwk = {} } = rfcKeys.find(({ keyid }) => keyid === 'test-key-ed25519') ?? {};
  const covered = `"@method" "@target-uri"${digest ? ' "content-digest"' : ''}`;
  const input = `(${covered});created=${nowMs / 1000};keyid="test-key-ed25519"`;
  const lines = [
    `"@method": ${method}`,
    `"@target-uri": http://${placeholderHost}/api/auth/signature`,
    ...(digest ? [`"content-digest": ${digest}`] : []),
    `"@signature-params": ${input}`,
  ];
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  const signature = sign(null, Buffer.from(lines.join('\n')), key).toString('base64');
  return {
    ...(digest && { 'Content-Digest': digest }),
    'Signature-Input': `sig=${input}`,
    Signature: `sig=:${signature}:`,
  };
}

export const callPasskeys: CallTable = async (caller) => {
  const json = { username: 'ada' };
  const mine = new Authenticator(`http://${placeholderHost}`);
  const options = await caller.call('postAuthPasskeysRegisterOptions', 'For ada', { json });
  const made = mine.create(options.json.challenge);
  await caller.call('postAuthPasskeysRegisterVerify', 'A passkey', { json: made, isNoExample });
  const again = await caller.send('postAuthPasskeysRegisterOptions', { json });
  const same = { json: mine.create(again.json.challenge), isNoExample } as const;
  await caller.call('postAuthPasskeysRegisterVerify', 'The same passkey', same);
  const asked = await caller.call('postAuthPasskeysLoginOptions', 'Without a user name');
  const proof = { json: mine.get(asked.json.challenge, { counter: 1 }), isNoExample } as const;
  await caller.call('postAuthPasskeysLoginVerify', 'The passkey', proof);
  const next = await caller.send('postAuthPasskeysLoginOptions');
  const copy = { json: mine.get(next.json.challenge, { counter: 1 }), isNoExample } as const;
  await caller.call('postAuthPasskeysLoginVerify', 'A counter that did not increase', copy);
};
