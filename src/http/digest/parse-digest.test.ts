import { expect, test } from 'vitest';
import type { DigestOffer } from './digest-offer.js';
import { parseDigest } from './parse-digest.js';

const offer: DigestOffer = { algorithms: ['SHA-256', 'MD5'], qops: ['auth'] };

const parts = {
  username: '"demo"',
  realm: '"r"',
  nonce: '"n"',
  uri: '"/a?b=c"',
  response: '"ABC"',
  algorithm: 'SHA-256',
  qop: 'auth',
  nc: '0000000a',
  cnonce: '"c"',
  opaque: '"o"',
};

function header(changes: Record<string, string | undefined> = {}): string {
  const named = Object.entries({ ...parts, ...changes }).filter(([, value]) => value !== undefined);
  return `Digest ${named.map(([name, value]) => `${name}=${value}`).join(', ')}`;
}

const read = {
  username: 'demo',
  isUsernameHashed: false,
  realm: 'r',
  nonce: 'n',
  uri: '/a?b=c',
  response: 'abc',
  algorithm: 'SHA-256',
  qop: 'auth',
  nc: '0000000a',
  cnonce: 'c',
  opaque: 'o',
};

const latin1OfUtf8 = Buffer.from('"J\u00e4s"').toString('latin1');

test.each([
  ['the usual', {}, {}],
  [
    'qop, nc and algorithm in quotes',
    { qop: '"auth"', nc: '"0000000a"', algorithm: '"sha-256"' },
    {},
  ],
  ['plain words without quotes', { username: 'demo', realm: 'r', nonce: 'n', cnonce: 'c' }, {}],
  ['an escaped quote in the name', { username: String.raw`"d\"e"` }, { username: 'd"e' }],
  ['no algorithm, which is MD5', { algorithm: undefined }, { algorithm: 'MD5' }],
  ['no opaque', { opaque: undefined }, { opaque: undefined }],
  ['UTF-8 in the name', { username: latin1OfUtf8 }, { username: 'J\u00e4s' }],
  ['Latin-1 in the name', { username: '"J\u00e4s"' }, { username: 'J\u00e4s' }],
  [
    'an extended name',
    { username: undefined, 'username*': "UTF-8''J%C3%A4s%C3%B8n%20Doe" },
    { username: 'J\u00e4s\u00f8n Doe' },
  ],
  [
    'an extended name in a language',
    { username: undefined, 'username*': "UTF-8'en-GB'demo" },
    { username: 'demo' },
  ],
  ['the longest cnonce', { cnonce: `"${'c'.repeat(256)}"` }, { cnonce: 'c'.repeat(256) }],
  ['a hashed name', { userhash: 'true' }, { isUsernameHashed: true }],
  ['a name not hashed', { userhash: 'false' }, {}],
])('%s: is parsed', (_name, changes, expected) => {
  expect(parseDigest(header(changes), offer)).toEqual({ ...read, ...expected });
});

test.each([
  ['no header', undefined, /The Authorization header is missing/],
  ['another scheme', 'Basic YTpi', /word Digest/],
  ['the scheme alone', 'Digest', /have no parameter realm/],
  ['malformed parameters', 'Digest realm="', /malformed: at character/],
  ['no realm', header({ realm: undefined }), /have no parameter realm/],
  ['no nonce', header({ nonce: undefined }), /have no parameter nonce/],
  ['no uri', header({ uri: undefined }), /have no parameter uri/],
  ['no response', header({ response: undefined }), /have no parameter response/],
  ['no name', header({ username: undefined }), /have no parameter username/],
  ['two names', header({ 'username*': "UTF-8''demo" }), /cannot be combined/],
  [
    'an extended and hashed name',
    header({ username: undefined, 'username*': "UTF-8''x", userhash: 'true' }),
    /cannot be combined/,
  ],
  [
    'an extended name of another charset',
    header({ username: undefined, 'username*': "latin1''x" }),
    /must be UTF-8/,
  ],
  [
    'an extended name badly encoded',
    header({ username: undefined, 'username*': "UTF-8''%C3" }),
    /must be UTF-8/,
  ],
  [
    'an extended name with something before it',
    header({ username: undefined, 'username*': "xUTF-8''demo" }),
    /must be UTF-8/,
  ],
  [
    'an algorithm not offered',
    header({ algorithm: 'SHA-512-256' }),
    /^The algorithm is not in the challenge, which offers SHA-256, MD5\.$/,
  ],
  ['an unknown algorithm', header({ algorithm: 'SHA' }), /which offers SHA-256, MD5/],
  ['no qop', header({ qop: undefined }), /have no qop/],
  ['a qop not offered', header({ qop: 'auth-int' }), /another qop than offered/],
  ['no nc', header({ nc: undefined }), /eight hex digits/],
  ['a short nc', header({ nc: '1' }), /eight hex digits/],
  ['a long nc', header({ nc: '000000001' }), /eight hex digits/],
  ['an nc that is no number', header({ nc: '0000000g' }), /eight hex digits/],
  ['no cnonce', header({ cnonce: undefined }), /cnonce must be 1 to 256 random/],
  ['an empty cnonce', header({ cnonce: '""' }), /cnonce must be 1 to 256 random/],
  ['a huge cnonce', header({ cnonce: 'c'.repeat(257) }), /1 to 256 random characters/],
])('%s: is rejected with the reason', (_name, sent, fault) => {
  expect(parseDigest(sent, offer)).toEqual({ fault: expect.stringMatching(fault) });
});

test('a missing algorithm is rejected if MD5 was not offered', () => {
  const sha: DigestOffer = { algorithms: ['SHA-256'], qops: ['auth'] };
  expect(parseDigest(header({ algorithm: undefined }), sha)).toEqual({
    fault: expect.stringMatching(
      /^No algorithm was sent, which means MD5, and that is not in the challenge/,
    ),
  });
});

test('if no qop was offered, a cnonce has the same limit', () => {
  const old: DigestOffer = { algorithms: ['SHA-256'], qops: [] };
  const sent = header({ qop: undefined, cnonce: `"${'c'.repeat(257)}"` });
  expect(parseDigest(sent, old)).toEqual({ fault: expect.stringMatching(/at most 256/) });
});

test('if no qop was offered, a qop is rejected, and other counts are ignored', () => {
  const old: DigestOffer = { algorithms: ['SHA-256'], qops: [] };
  expect(parseDigest(header(), old)).toEqual({ fault: expect.stringMatching(/offered no qop/) });
  expect(parseDigest(header({ qop: undefined }), old)).toEqual({ ...read, qop: undefined });
});
