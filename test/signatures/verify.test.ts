import { createHmac, createPrivateKey, sign as signBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { changed, rfcExamples } from './rfc-examples.js';
import { jwkOf, secret } from './rfc-secrets.js';

const service = useService();
const path = '/api/auth/signature';

const verify = (message: string, query = '') =>
  service.send(`POST ${path}/verify${query}`, {
    headers: { 'Content-Type': 'message/http' },
    body: message,
  });

test.each(rfcExamples)('the example of RFC 9421 $section verifies', async ({ keyid, message }) => {
  const { status, json } = await verify(message);
  expect(status).toBe(200);
  expect(json).toMatchObject({ verified: true, keyid, differs: null });
  expect(json.signatureBase.at(-1)).toMatch(/^"@signature-params": \(/);
});

test('a parameter of another registry is signed like the others', async () => {
  const input = '("@method" "@authority");keyid="test-shared-secret";level=1;bytes="x"';
  const base = `"@method": GET\n"@authority": a.example\n"@signature-params": ${input}`;
  const mac = createHmac('sha256', secret).update(base).digest('base64');
  const head = `GET / HTTP/1.1\r\nHost: a.example\r\nSignature-Input: s=${input}`;
  const { json } = await verify(`${head}\r\nSignature: s=:${mac}:\r\n\r\n`);
  expect(json).toMatchObject({ verified: true, verdict: { outcome: 'kept', level: 'must' } });
});

const plain = ['Accept: application/json', 'Accept: */*'];
test.each<[name: string, isRight: boolean, head: readonly string[]]>([
  [
    'as it was',
    true,
    ['GET /demo?name1=Value1&Name2=value2 HTTP/1.1', 'Host: example.org', ...plain],
  ],
  [
    'with another query and more headers',
    true,
    [
      'GET /demo?name1=Value1&Name2=value2&param=added HTTP/1.1',
      'Host: example.org',
      ...plain,
      'Via: x',
    ],
  ],
  [
    'with its values in one header',
    true,
    ['GET /demo HTTP/1.1', 'Host: example.org', 'Accept: application/json, */*'],
  ],
  ['with another method', false, ['POST /demo HTTP/1.1', 'Host: example.com', ...plain]],
  [
    'with its values in another order',
    false,
    ['GET /demo HTTP/1.1', 'Host: example.org', 'Accept: */*', 'Accept: application/json'],
  ],
])('the message of RFC 9421 B.4 %s gets the right verdict', async (_name, isRight, head) => {
  expect((await verify(changed(head))).json.verified).toBe(isRight);
});

test('line ends without CR, a folded header and a chunked body are parsed', async () => {
  const message = rfcExamples.at(2)?.message.replaceAll('\r\n', '\n') ?? '';
  expect((await verify(message)).json.verified).toBe(true);
  const folded = message.replace('Date: Tue, ', 'Date: Tue,\n   ');
  expect((await verify(folded)).json.verified).toBe(true);
  const chunked = rfcExamples[1]?.message
    .replace('Content-Length: 18', 'Transfer-Encoding: chunked')
    .replace(/(\r\n\r\n).*$/, '$15\r\n{"hel\r\nd;x=y\r\nlo": "world"}\r\n0\r\n\r\n');
  expect((await verify(chunked ?? '')).json.differs).toBe(null);
});

const [minimal = '', , full = ''] = rfcExamples.map(({ message }) => message);
const shared = rfcExamples[4]?.message ?? '';

test.each<[name: string, message: string, part: string, says: string]>([
  [
    'another body',
    full.replace('world', 'World'),
    'content-digest',
    'The body that arrived has sha-512=:',
  ],
  [
    'an unknown key',
    minimal.replaceAll('test-key-rsa-pss', 'mine'),
    'keyid',
    'The key is unknown.',
  ],
  ['no key', minimal.replace(';keyid="test-key-rsa-pss"', ''), 'keyid', 'names no key'],
  [
    'another algorithm',
    minimal.replace(';nonce', ';alg="ed25519";nonce'),
    'alg',
    'is rsa-pss-sha512',
  ],
  ['a missing header', full.replace(/Date:.*\r\n/, ''), '"date"', 'no such field'],
  ['another date', full.replace('02:07:55', '02:07:56'), 'signature', 'another base'],
  ['no signature', full.replace(/Signature: .*\r\n/, ''), 'signature-input', 'no Signature.'],
  [
    'no input',
    full.replace(/Signature-Input: .*\r\n/, ''),
    'signature-input',
    'no Signature-Input.',
  ],
  [
    'another label',
    full.replace('Signature: sig-b23', 'Signature: sig'),
    'signature-input',
    'sig-b23',
  ],
  ['a component twice', shared.replace('("date"', '("date" "date"'), 'signature-input', 'twice'],
  [
    'a parameter twice',
    shared.replace(';created', ';created=1;created'),
    'signature-input',
    'twice',
  ],
  [
    'a label twice',
    shared.replace('Signature-Input: ', 'Signature-Input: sig-b25=();keyid="a", '),
    'signature-input',
    'twice',
  ],
  [
    'a value twice',
    shared.replace('Signature: ', 'Signature: sig-b25=:AAAA:, '),
    'signature-input',
    'twice',
  ],
  [
    'a time in words',
    shared.replace('=1618884473', '="now"'),
    'signature-input',
    'created must be an integer',
  ],
  [
    'a fraction',
    shared.replace('=1618884473', '=1618884473.5'),
    'signature-input',
    'created must be an integer',
  ],
  [
    'a key that is no string',
    shared.replace('"test-shared-secret"', '7'),
    'signature-input',
    'keyid must be a string',
  ],
  ['a name in capitals', shared.replace('("date"', '("Date"'), '"Date"', 'in lower case'],
  ['an unknown component', shared.replace('("date"', '("@date"'), '"@date"', 'Unknown component'],
  [
    'itself',
    shared.replace('("date"', '("@signature-params"'),
    '"@signature-params"',
    'cannot cover itself',
  ],
  ['a status', shared.replace('("date"', '("@status"'), '"@status"', 'Only a response'],
  ['its request', shared.replace('("date"', '("date";req'), '"date";req', 'Only a response'],
  [
    'a component that is no string',
    shared.replace('("date"', '(date'),
    'signature-input',
    'not a string',
  ],
  [
    'an unknown parameter of a component',
    shared.replace('("date"', '("date";x'),
    '"date";x',
    'parameters',
  ],
  [
    'sf with bs',
    shared.replace('("date"', '("date";sf;bs'),
    '"date";sf;bs',
    'cannot be combined with sf or key',
  ],
  [
    'a query parameter without a name',
    shared.replace('("date"', '("@query-param"'),
    '"@query-param"',
    'needs a name',
  ],
  [
    'a missing query parameter',
    shared.replace('("date"', '("@query-param";name="x"'),
    '"@query-param";name="x"',
    'does not have this',
  ],
  [
    'a query parameter that is repeated',
    shared.replace('/foo?', '/foo?a=1&a=2&').replace('("date"', '("@query-param";name="a"'),
    '"@query-param";name="a"',
    'more than once',
  ],
  ['a missing trailer', shared.replace('("date"', '("date";tr'), '"date";tr', 'among its trailers'],
  [
    'half a signature',
    full.replace(/Signature: sig-b23=:.{8}/, 'Signature: sig-b23=:'),
    'signature',
    'another base',
  ],
  [
    'a truncated list',
    shared.replace('("date" ', '("date" "'),
    'signature-input',
    'not a dictionary',
  ],
  [
    'too many components',
    shared.replace('("date"', `("date"${' "x-a"'.repeat(60)}`),
    'signature-input',
    'more than 50',
  ],
  [
    'giant parameters',
    shared.replace(';created', `;nonce="${'n'.repeat(9000)}";created`),
    'signature-input',
    '8192 characters',
  ],
  [
    'too many signatures',
    shared.replace(
      /(Signature-Input: .*)/,
      (line) => `${line}${Array.from({ length: 9 }, (_, place) => `, s${place}=()`).join('')}`,
    ),
    'signature-input',
    'more than 5',
  ],
])('the verdict on a message with %s names the problem', async (_name, message, part, says) => {
  const { status, json } = await verify(message);
  expect(status).toBe(200);
  expect(json.verified).toBe(false);
  expect(json.differs.part).toBe(part);
  expect(json.differs.message).toContain(says);
});

test.each<[name: string, body: string, headers: object, status: number, says: string]>([
  ['nothing', '', {}, 400, 'The first line'],
  ['a first line of something else', 'Hello\r\n\r\n', {}, 400, 'The first line'],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', {}, 400, 'no Host'],
  ['a header without a name', 'GET / HTTP/1.1\r\n: x\r\n\r\n', {}, 400, 'Header 1'],
  ['a truncated body', full.slice(0, -3), {}, 400, 'fewer than Content-Length'],
  [
    'two lengths',
    full.replace('Content-Length: 18', 'Content-Length: 18\r\nContent-Length: 18'),
    {},
    400,
    'not a number of bytes',
  ],
  [
    'truncated chunks',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
    {},
    400,
    'are incomplete',
  ],
  [
    'too many headers',
    `GET / HTTP/1.1\r\nHost: a\r\n${'A: b\r\n'.repeat(201)}\r\n`,
    {},
    400,
    '200 headers',
  ],
  ['another type', full, { 'Content-Type': 'text/plain' }, 415, 'message/http'],
  ['64 KiB and more', `${full}${'x'.repeat(65_536)}`, {}, 413, '64 KiB'],
])('a text with %s is no message', async (_name, body, headers, status, says) => {
  const response = await service.send(`POST ${path}/verify`, {
    headers: { 'Content-Type': 'message/http', ...headers },
    body,
  });
  expect(response.status).toBe(status);
  expect(response.json.message).toContain(says);
});

// A hand-written client, for mistakes that libraries cannot make.

const hmac = (base: string, key: Buffer | string = secret) =>
  createHmac('sha256', key).update(base).digest('base64');

const parameters = (components: string) => `(${components});created=1;keyid="test-shared-secret"`;
function signedBase(
  components: string,
  lines: readonly string[],
  signature: (base: string) => string,
) {
  const input = parameters(components);
  const base = [...lines, `"@signature-params": ${input}`].join('\n');
  return `GET /s/a/x?q=%20b HTTP/1.1\r\nHost: example.com:8443\r\nContent-Type: text/plain; charset=utf-8\r\nX-Dict: a=1,  b=2;x=1;y=2, c=(a b c)\r\nX-List: a,  b\r\nX-Many: one, two\r\nX-Many: three\r\nSignature-Input: sig=${input}\r\nSignature: sig=:${signature(base)}:\r\n\r\n`;
}

test.each<[component: string, value: string]>([
  ['"@method"', 'GET'],
  ['"@scheme"', 'https'],
  ['"@authority"', 'example.com:8443'],
  ['"@target-uri"', 'https://example.com:8443/s/a/x?q=%20b'],
  ['"@request-target"', '/s/a/x?q=%20b'],
  ['"@path"', '/s/a/x'],
  ['"@query"', '?q=%20b'],
  ['"@query-param";name="q"', '%20b'],
  ['"x-dict"', 'a=1,  b=2;x=1;y=2, c=(a b c)'],
  ['"x-dict";sf', 'a=1, b=2;x=1;y=2, c=(a b c)'],
  ['"x-dict";key="a"', '1'],
  ['"x-dict";key="b"', '2;x=1;y=2'],
  ['"x-dict";key="c"', '(a b c)'],
  ['"x-list";sf', 'a, b'],
  ['"x-many"', 'one, two, three'],
  ['"x-many";bs', ':b25lLCB0d28=:, :dGhyZWU=:'],
])('%s of a request is %s', async (component, value) => {
  const { json } = await verify(signedBase(component, [`${component}: ${value}`], hmac));
  expect(json.signatureBase[0]).toBe(`${component}: ${value}`);
  expect(json.verified).toBe(true);
});

test.each<[name: string, component: string, signed: string, says: string]>([
  ['a method in lower case', '"@method"', 'get', 'lower case'],
  ['another method', '"@method"', 'POST', 'It was signed as POST, but is GET.'],
  ['an authority without its port', '"@authority"', 'example.com', 'without its port'],
  ['the other scheme', '"@scheme"', 'http', 'the other scheme'],
  ['a query without its mark', '"@query"', 'q=%20b', 'question mark'],
  ['a decoded query', '"@query"', '?q= b', 'decoded'],
  ['a decoded parameter', '"@query-param";name="q"', ' b', 'percent-encoded'],
  ['a path without the sandbox', '"@path"', '/x', 'without the sandbox'],
  ['a path with a slash', '"@path"', '/s/a/x/', 'slash at its end'],
  [
    'a target without its query',
    '"@target-uri"',
    'https://example.com:8443/s/a/x',
    'without its query',
  ],
  ['a target by http', '"@target-uri"', 'http://example.com:8443/s/a/x?q=%20b', 'scheme http'],
  ['a type without its charset', '"content-type"', 'text/plain', 'without its parameters'],
])('the hint names %s', async (_name, component, signed, says) => {
  const { json } = await verify(signedBase(component, [`${component}: ${signed}`], hmac));
  expect(json.verified).toBe(false);
  expect(json.differs.part).toBe(component);
  expect(json.differs.message).toContain(says);
});

test.each<[name: string, sign: (base: string) => string, part: string, says: string]>([
  [
    'a line break at the end',
    (base) => hmac(`${base}\n`),
    'signature-base',
    'line break at its end',
  ],
  ['CRLF', (base) => hmac(base.replaceAll('\n', '\r\n')), 'signature-base', 'CRLF'],
  [
    'no parameters',
    (base) => hmac(base.split('\n')[0] ?? ''),
    'signature-base',
    '@signature-params, was not',
  ],
  [
    'its label',
    (base) => hmac(base.replace('params": ', 'params": sig=')),
    'signature-base',
    'label',
  ],
  [
    'no quotes',
    (base) => hmac(base.replaceAll(/^"([^"]+)"/gm, '$1')),
    'signature-base',
    'without quotes',
  ],
  [
    'the key as text',
    (base) => hmac(base, secret.toString('base64')),
    'signature',
    'decode its base64',
  ],
])('the hint about the base names %s', async (_name, sign, part, says) => {
  const { json } = await verify(signedBase('"@method"', ['"@method": GET'], sign));
  expect(json.differs.part).toBe(part);
  expect(json.differs.message).toContain(says);
});

test.each<[keyid: string, name: string, hash: string, options: object, says: string]>([
  ['test-key-ecc-p256', 'DER', 'sha256', {}, 'r and s in sequence'],
  [
    'test-key-rsa-pss',
    'a short salt',
    'sha512',
    { padding: 6, saltLength: 20 },
    'must have 64 bytes',
  ],
  ['test-key-rsa-pss', 'the older padding', 'sha512', {}, 'PKCS#1 v1.5'],
  ['test-key-rsa-pss', 'SHA-256', 'sha256', { padding: 6, saltLength: 32 }, 'The hash is SHA-256'],
  ['test-key-rsa', 'PSS', 'sha512', { padding: 6, saltLength: 64 }, 'The padding is PSS'],
])('the hint about %s names %s', async (keyid, _name, digest, options, says) => {
  const key = createPrivateKey({ key: jwkOf(keyid), format: 'jwk' });
  const input = `("@method");keyid="${keyid}"`;
  const base = `"@method": GET\n"@signature-params": ${input}`;
  const signature = signBytes(digest, Buffer.from(base), { key, ...options }).toString('base64');
  const { json } = await verify(
    `GET / HTTP/1.1\r\nHost: a\r\nSignature-Input: s=${input}\r\nSignature: s=:${signature}:\r\n\r\n`,
  );
  expect(json.differs.message).toContain(says);
});

// The endpoint that requires signatures, with http-message-signatures.
