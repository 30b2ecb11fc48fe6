import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caseCount, seed } from '../../../test/support/case-count.js';
import { growthOf, maxExponent } from '../../../test/support/growth.js';
import { redact, redactFields, removed } from './redact.js';

const secret = 'Ab-_5678901234567890zZ';
const inHex = (text: string) =>
  [...text].map((each) => `%${each.charCodeAt(0).toString(16)}`).join('');

describe('an address', () => {
  test.each([
    [`/s/~${secret}`, '/s/~…'],
    [`/s/~${secret}/api/Books?x=1#y`, '/s/~…/api/Books?x=1#y'],
    [`/S/~${secret}?x`, '/S/~…?x'],
    [`http://host:3000/s/~${secret}/`, 'http://host:3000/s/~…/'],
    ['/s/~short/x', '/s/~…/x'],
    [`/s/~${secret}longer/x`, '/s/~…/x'],
    [`/s/~${secret}/s/~${secret}/x`, '/s/~…/s/~…/x'],
    [`/a?next=/s/~${secret}/x&y=/s/~${secret}`, '/a?next=/s/~…/x&y=/s/~…'],
    [`<http://h/s/~${secret}>; rel="next"`, '<http://h/s/~…>; rel="next"'],
    [`"http://h/s/~${secret}", '/s/~${secret}'`, `"http://h/s/~…", '/s/~…'`],
    [`{"url":"http:\\/\\/h\\/s\\/~${secret}\\/x"}`, '{"url":"http:\\/\\/h\\/s\\/~…\\/x"}'],
    [`DELETE /api/sandbox/address/~${secret}`, 'DELETE /api/sandbox/address/~…'],
    [`s/~${secret}`, 's/~…'],
    [`/s//~${secret}`, '/s//~…'],
  ])('%s becomes %s', (text, expected) => {
    expect(redact(text)).toBe(expected);
    expect(redact(expected)).toBe(expected);
  });

  test.each([
    ['the tilde', `/s/%7E${secret}/x`, '/s/%7E…/x'],
    ['the letter', `/%73/~${secret}/x`, '/%73/~…/x'],
    ['the other letter', `/%53/%7e${secret}/x`, '/%53/%7e…/x'],
    ['the slashes', `%2Fs%2f~${secret}%2Fapi`, '%2Fs%2f~…%2Fapi'],
    ['a letter of the secret', `/s/~%41${secret.slice(1)}/x`, '/s/~…/x'],
    ['its last letter', `/s/~${secret.slice(0, -1)}%5A/x`, '/s/~…/x'],
    ['all', `${inHex(`/s/~${secret}`)}/x`, `${inHex('/s/~')}…/x`],
    [
      'all, in upper case',
      inHex(`/s/~${secret}/x`).toUpperCase(),
      `${inHex('/s/~').toUpperCase()}…%2F%78`,
    ],
    [
      'everything twice',
      encodeURIComponent(inHex(`/s/~${secret}`)),
      `${encodeURIComponent(inHex('/s/~'))}…`,
    ],
    ['everything, and its digits', inHex(inHex(`/s/~${secret}`)), `${inHex(inHex('/s/~'))}…`],
    [
      'a URL in a URL',
      `?u=${encodeURIComponent(`/a?u=${encodeURIComponent(`/s/~${secret}&b`)}`)}`,
      `?u=${encodeURIComponent('/a?u=')}%252Fs%252F~…%2526b`,
    ],
    ['a lone percent sign before', `%/s/~${secret}%`, '%/s/~…'],
    ['bytes beyond ASCII', `%C3%A9/s/~${secret}/%C3%A9`, '%C3%A9/s/~…/%C3%A9'],
  ])('with %s percent-encoded becomes %s', (_what, text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  test('is found after any text and in any mixture of encodings', () => {
    const anyTimes = fc.array(fc.nat(3), { minLength: 3, maxLength: 5 });
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), anyTimes, (before, times) => {
        const encoded = [...`/s/~${secret}`].map((each, index) => {
          const rounds = times[index % times.length] ?? 0;
          return Array.from({ length: rounds }).reduce<string>((text) => inHex(text), each);
        });
        const shown = redact(`${before}${encoded.join('')}/x`);
        expect(decodeOften(shown)).not.toContain(secret);
        expect(shown.endsWith('…/x')).toBe(true);
      }),
      { numRuns: caseCount(300), seed },
    );
  });

  test('is found in base64 at each offset, as in the issuer of a token', () => {
    for (const before of ['', 'h', 'ht', 'http://localhost:3000', '{"iss":"https://example.com']) {
      const text = `${before}/s/~${secret}/oidc","sub":"1"}`;
      for (const encoding of ['base64', 'base64url'] as const) {
        const encoded = Buffer.from(text).toString(encoding).replace(/=+$/, '');
        const shown = redact(`Bearer a.${encoded}.b`);
        expect(shown).toMatch(/^Bearer a\..*…\.b$/);
        const left = Buffer.from(shown.split('.')[1] ?? '', encoding).toString();
        expect(left).not.toContain(secret.slice(0, 3));
      }
    }
  });
});

function decodeOften(text: string): string {
  let before = '';
  let decoded = text;
  while (decoded !== before) {
    before = decoded;
    decoded = decoded.replace(/%([0-7][\da-f])/gi, (_all, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
  return decoded;
}

test('keys of accounts and teachers', () => {
  const key = `psk_${'a1'.repeat(12)}_${'0f'.repeat(36)}`;
  const teacherKey = `ptk_${'aB-_'.repeat(8)}`;
  expect(redact(`Bearer ${key}, ${teacherKey};`)).toBe('Bearer psk_…, ptk_…;');
  expect(redact(`?key=${encodeURIComponent(inHex(key))}&a`)).toMatch(/^\?key=[%\d\w]*…&a$/);
});

test.each([
  '',
  '/api/Books/1?limit=5',
  '/~user/page.html',
  '/s/my-suite/api/Books',
  '/s/~',
  '100 %',
  '%zz%4',
  'application/json; q=0.9, */*;~=1',
  'psk_not_a_key',
  `eyJhbGciOiJub25lIn0.${Buffer.from('{"iss":"http://localhost/s/mine/oidc","sub":"somebody"}').toString('base64url')}.x`,
])('%j has no key and remains', (text) => {
  expect(redact(text)).toBe(text);
});

test('values of headers that are keys are removed as a whole, names and others are redacted', () => {
  const fields = ['X-Service-Key', 'any', 'x-teacher-KEY', 'b', 'Referer', `/s/~${secret}/`];
  expect(redactFields(fields)).toEqual([
    ...['X-Service-Key', removed, 'x-teacher-KEY', removed],
    ...['Referer', '/s/~…/'],
  ]);
  expect(redactFields([`X~${secret}`, 'x'])).toEqual(['X~…', 'x']);
  const harmless = ['Host', 'localhost', 'Accept', '*/*'];
  expect(redactFields(harmless)).toBe(harmless);
});

test.each([
  ['addresses', `/s/~${secret}`],
  ['beginnings of addresses', '/s/~/s/'],
  ['tildes', '~'],
  ['escapes of escapes', '%25'],
  ['escapes of digits', '%25%37'],
  ['unfinished escapes', '%7'],
  ['letters after a tilde', 'a'],
  ['beginnings of keys', 'psk_'],
  ['base64', 'L3Mvfg'],
])('the cost of a text of %s is linear', async (_what, piece) => {
  const exponent = await growthOf({
    make: (size) => `~${piece.repeat(Math.ceil(size / piece.length))}`,
    run: redact,
    largest: 256 * 1024,
  });
  expect(exponent).toBeLessThan(maxExponent);
});
