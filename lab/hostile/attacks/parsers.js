/** Bodies within all limits for which a parser could need quadratic time. */

import { brotliCompressSync, gzipSync } from 'node:zlib';
import { attacksOf } from '../attacker.js';

const width = 6;
const mebibyte = 1024 * 1024;

/** @param {number} count @param {(index: number) => string} make */
const list = (count, make) => Array.from({ length: count }, (_, index) => make(index));

/** Makes a message of 53 KB with five signatures, each with 50 components. */
function signedMessage(
  /** @type {(index: number) => string} */ component,
  /** @type {string} */ query,
  /** @type {string} */ field,
) {
  const components = list(50, component).join(' ');
  const inputs = list(5, (index) => `s${index}=(${components});keyid="test-key-ed25519"`);
  const values = list(5, (index) => `s${index}=:AAAA:`);
  return [
    `GET /?${query} HTTP/1.1`,
    'Host: a.example',
    `D: ${field}`,
    `Signature-Input: ${inputs.join(', ')}`,
    `Signature: ${values.join(', ')}`,
    '',
    '',
  ].join('\n');
}

const dictionary = list(5000, (index) => `n${index}=1`).join(', ');
const query = list(5000, (index) => `n${index}=1`).join('&');

const json = 'application/json';
const yaml = 'application/yaml';
const text = 'text/plain';

const verify = '/api/auth/signature/verify';
const message = 'message/http';
const manyNames = `{${list(110_000, (index) => `"${index.toString(36)}":1`).join(',')}}`;
const manyKeys = list(9000, (index) => `n${index}:`).join('\n');
const manyFlowKeys = `{${list(9000, (index) => `n${index}`).join(',')}}`;
const ofDictionary = signedMessage((index) => `"d";key="n${index}"`, '', dictionary);
const ofQuery = signedMessage((index) => `"@query-param";name="n${index}"`, query, 'a');
const ofSpaces = signedMessage(() => '"d"', '', `a${' '.repeat(40_000)}a`);

const multipart = 'multipart/form-data; boundary=';
const field = 'Content-Disposition: form-data; name="a"';
const part = `--b\r\n${field}\r\n\r\nx\r\n`;
const nearlyLong = `--${'-'.repeat(15_000)}x`;

/** @type {Readonly<Record<string, readonly [path: string, type: string, body: string]>>} */
const bodies = {
  'signatures over members of one dictionary': [verify, message, ofDictionary],
  'signatures over parameters of one query': [verify, message, ofQuery],
  'signatures over a field of spaces': [verify, message, ofSpaces],
  'YAML of 9,000 keys': ['/api/Books', yaml, manyKeys],
  'YAML of a flow mapping': ['/api/Books', yaml, manyFlowKeys],
  'YAML of stray brackets': ['/api/Books', yaml, ']'.repeat(65_000)],
  'JSON of 110,000 names, echoed': ['/api/methods/post', json, manyNames],
  'JSON of 110,000 names, echoed by httpbin': ['/httpbin/anything', json, manyNames],
  'multipart of 1,000 parts': ['/httpbin/post', `${multipart}b`, `${part.repeat(1000)}--b--`],
  'multipart with a boundary of 15,000 characters': [
    '/api/methods/post',
    `${multipart}${'-'.repeat(15_001)}`,
    nearlyLong.repeat(mebibyte / nearlyLong.length),
  ],
  'multipart of almost boundaries': [
    '/api/methods/post',
    `${multipart}${'-'.repeat(70)}`,
    `${'-'.repeat(71)}x`.repeat(mebibyte / 73),
  ],
  'multipart with a part of 100,000 headers': [
    '/httpbin/post',
    `${multipart}b`,
    `--b\r\n${'a: b\r\n'.repeat(100_000)}${field}\r\n\r\nx\r\n--b--`,
  ],
  'JSON of one number': ['/api/methods/post', json, `1${'0'.repeat(mebibyte - 10)}1`],
};

export const parserAttacks = [
  ...Object.entries(bodies).map(
    /** @returns {import('../attacker.js').Attack} */
    ([name, [path, type, body]]) => ({
      name: `parsers: ${name}`,
      reaches: [200, 400],
      async run(attacker) {
        const headers = { 'Content-Type': type };
        const { status } = await attacker.ask('POST', path, { headers, body });
        await attacker.repeat(width, () => attacker.ask('POST', path, { headers, body }));
        return status < 500 ? [] : [`${name}: ${status}`];
      },
    }),
  ),
  ...attacksOf(
    {
      'deliveries that fit no signature, with two secrets': async (attacker) => {
        const headers = {
          'Content-Type': json,
          'Stripe-Signature': `t=01,t=2,t=3,v1=${'0'.repeat(64)}`,
          'X-Signing-Secret': 'one, two',
        };
        const bodies = [
          JSON.stringify({ a: 'é/'.repeat(21_000) }),
          `${'['.repeat(5000)}${']'.repeat(5000)}`,
          JSON.stringify({ a: 'é/'.repeat(1_500) }),
          'é'.repeat(mebibyte / 2),
        ];
        const path = '/api/webhooks/verify/stripe';
        const send = (/** @type {string} */ body) => attacker.ask('POST', path, { headers, body });
        await attacker.repeat(width, async () => {
          for (const body of bodies) await send(body);
        });
        return [];
      },
      'signed deliveries of 10 MiB to a bin': async (attacker) => {
        const path = `/api/webhooks/${await attacker.newBin()}`;
        const headers = { 'Stripe-Signature': `t=01,t=2,t=3,v1=${'0'.repeat(64)}` };
        const body = 'x'.repeat(10 * mebibyte);
        await attacker.repeat(width, () => attacker.ask('POST', path, { headers, body }));
        return [];
      },
      'readers of captures that are decompression bombs': async (attacker) => {
        const id = await attacker.newBin();
        const bomb = gzipSync(gzipSync(gzipSync(Buffer.alloc(64 * mebibyte)))).toString('latin1');
        const headers = { 'Content-Encoding': 'gzip, gzip, gzip' };
        const capture = `/api/webhooks/${id}`;
        await attacker.stall(50, attacker.bytes('POST', capture, { headers, body: bomb }));
        const list = `/api/webhooks/bins/${id}/requests`;
        await attacker.repeat(width, () => attacker.ask('GET', list, attacker.sameAccount));
        return [];
      },
      '200 stalled readers of a few bytes of Brotli that decode to much': (attacker) => {
        const body = brotliCompressSync(Buffer.alloc(mebibyte, 1)).toString('latin1');
        const headers = { 'Content-Type': text, 'Content-Encoding': 'br' };
        return attacker.stall(200, attacker.bytes('POST', '/api/http/decode', { headers, body }));
      },
    },
    { reaches: [200, 201, 400] },
  ),
];
