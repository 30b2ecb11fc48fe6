/** Set-Cookie headers that are hard to parse, and the result by RFC 6265bis sections 5.6 and 5.7. */

import { Type } from 'typebox';
import { basePathOf } from '#http/address/sandbox-address.js';
import type { SentCookie } from '#http/cookies/set-cookie.js';
import { HttpError, jsonContentType } from '#http/http-error.js';
import { errorSchema } from '#http/schemas/error-schema.js';
import { text } from '#kit/describe/value-schemas.js';
import { endpoint, openExceptTypos } from '#kit/endpoint.js';
import {
  asText,
  receivedCookies,
  receivedFields,
  sentCookieSchema,
  setCookie,
} from './set-cookies.js';

const path = '/api/http/cookies/malformed';

const pair = (name: string, value: string): SentCookie[] => [{ name, value }];
const m = (value: string) => pair('m', value);
const none: SentCookie[] = [];
const maxPairBytes = 4096;

/** Node writes the characters of a header as bytes. */
const utf8 = (text: string) => Buffer.from(text).toString('latin1');

type Row = readonly [
  kind: string,
  about: string,
  /** Header values; `path` is the path of the page that sends them. */
  setCookie: string | readonly string[] | ((path: string) => string),
  /** The cookies that a client then sends to that path. */
  keeps: SentCookie[],
];

const rows: readonly Row[] = [
  ['no-equals', 'No equals sign: a value without a name', 'lonely', pair('', 'lonely')],
  ['no-name', 'Nothing before the equals sign', '=lonely', pair('', 'lonely')],
  ['empty', 'An empty header', '', none],
  ['equals-only', 'Neither a name nor a value', '=', none],
  ['semicolons-first', 'The pair is not first', ';;;m=1', none],
  ['attributes-only', 'Attributes without a pair', '; Path=/', none],
  ['empty-value', 'A name without a value', 'm=', m('')],
  ['spaces-around', 'Spaces around everything', 'm  =  1  ;  Max-Age  =  60', m('1')],
  ['space-in-name', 'A space in the name', 'm n=1', pair('m n', '1')],
  ['space-in-value', 'Spaces in the value', 'm=a b  c', m('a b  c')],
  ['tab-in-value', 'A tab in the value', 'm=a\tb', m('a\tb')],
  ['quoted', 'Quotes, which are part of the value', 'm="a b"', m('"a b"')],
  ['quoted-semicolon', 'A semicolon in quotes, which ends the value anyway', 'm="a;b"', m('"a')],
  ['unclosed-quote', 'A quote that is never closed', 'm="a; Max-Age=60', m('"a')],
  ['comma', 'A value that looks like two cookies', 'm=1, n=2', m('1, n=2')],
  ['equals-in-value', 'Equals signs in the value, as in base64', 'm=a=b==', m('a=b==')],
  ['json', 'JSON as a value', 'm={"a":1,"b":[2]}', m('{"a":1,"b":[2]}')],
  ['percent', 'Percent-encoding, which clients do not decode', 'm=a%20b%3Bc', m('a%20b%3Bc')],
  ['utf-8', 'Non-ASCII characters in UTF-8', utf8('m=Zürich'), m('Zürich')],
  ['twice', 'The same cookie twice in one response: the last wins', ['m=1', 'm=2'], m('2')],
  [
    'letter-case',
    'Two names that differ by letter case: two cookies',
    ['m=1', 'M=2'],
    [...m('1'), ...pair('M', '2')],
  ],
  ['path-twice', 'Path twice: the last wins', (path) => `m=1; Path=/nowhere; Path=${path}`, m('1')],
  ['path-relative', 'A Path without a slash, which is ignored', 'm=1; Path=nowhere', m('1')],
  ['path-empty', 'An empty Path, which is ignored', 'm=1; Path=', m('1')],
  [
    'path-quoted',
    'A Path in quotes, which does not begin with a slash',
    'm=1; Path="/nowhere"',
    m('1'),
  ],
  [
    'path-too-long',
    'A Path of more than 1024 bytes, which is ignored',
    `m=1; Path=/${'x'.repeat(1024)}`,
    m('1'),
  ],
  ['unknown-attributes', 'Unknown attributes', 'm=1; Fresh; =x; Taste=good;;', m('1')],
  ['attribute-case', 'Attributes in other letter case', 'm=1; mAx-aGe=0', none],
  ['http-only-false', 'A flag with a value, which is set', 'm=1; HttpOnly=false', m('1')],
  ['max-age-word', 'Max-Age that is not a number, which is ignored', 'm=1; Max-Age=soon', m('1')],
  ['max-age-fraction', 'Max-Age with a fraction, which is ignored', 'm=1; Max-Age=0.5', m('1')],
  ['max-age-negative', 'Negative Max-Age: expires at once', 'm=1; Max-Age=-1', none],
  [
    'max-age-beats-expires',
    'Max-Age and Expires disagree: Max-Age wins',
    'm=1; Max-Age=600; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    m('1'),
  ],
  ['expires-word', 'Expires that is not a date, which is ignored', 'm=1; Expires=whenever', m('1')],
  [
    'expires-short-year-past',
    'A year of two digits from 70: 19xx',
    'm=1; Expires=Thu, 01-Jan-70 00:00:01 GMT',
    none,
  ],
  [
    'expires-short-year-future',
    'A year of two digits up to 69: 20xx',
    'm=1; Expires=Tue, 01-Jan-69 00:00:01 GMT',
    m('1'),
  ],
  ['expires-asctime', 'A date in the format of C', 'm=1; Expires=Thu Jan  1 00:00:01 1970', none],
  ['domain-empty', 'An empty Domain, which is ignored', 'm=1; Domain=', m('1')],
  ['domain-foreign', 'The Domain of another host', 'm=1; Domain=elsewhere.invalid', none],
  ['same-site-unknown', 'SameSite with an unknown value', 'm=1; SameSite=Sometimes', m('1')],
  ['same-site-none', 'SameSite=None without Secure', 'm=1; SameSite=None', none],
  ['prefix-in-other-letters', 'A prefix applies in any letter case', '__sEcUrE-m=1', none],
  [
    'prefix-without-name',
    'A value that would be sent like a name with a prefix',
    '=__Host-m=1',
    none,
  ],
  [
    'longest',
    'Name and value of 4096 bytes, the maximum',
    `m=${'x'.repeat(maxPairBytes - 1)}`,
    m('x'.repeat(maxPairBytes - 1)),
  ],
  ['too-long', 'Name and value of 4097 bytes', `m=${'x'.repeat(maxPairBytes)}`, none],
  [
    'fifty',
    'Fifty cookies, which every client must be able to store',
    Array.from({ length: 50 }, (_, index) => `m${index}=1`),
    Array.from({ length: 50 }, (_, index) => pair(`m${index}`, '1')).flat(),
  ],
];

export const listMalformed = endpoint('GET', path, {
  summary: 'List cookies that are hard to parse',
  query: openExceptTypos({}),
  responses: {
    200: Type.Object({
      kinds: Type.Array(
        Type.Object({ kind: Type.String(), about: Type.String(), url: Type.String() }),
      ),
      ...receivedFields,
    }),
  },
  examples: { 'All kinds': {} },
  handle(request) {
    const base = `${request.baseUrl}${path}`;
    const kinds = rows.map(([kind, about]) => ({ kind, about, url: `${base}/${kind}` }));
    return { kinds, ...receivedCookies(request) };
  },
});

export const setMalformed = endpoint('GET', `${path}/:kind`, {
  summary: 'Set cookies that are hard to parse',
  description: 'Repeat the request to see the result: your client sends its cookies to this URL.',
  query: openExceptTypos({}),
  params: { kind: text('Such as quoted-semicolon.') },
  responses: {
    200: Type.Object({
      kind: Type.String(),
      about: Type.String(),
      setCookie: Type.Array(Type.String(), { description: 'The Set-Cookie headers as sent.' }),
      keeps: Type.Array(sentCookieSchema, {
        description: 'The cookies that a client by RFC 6265bis then sends to this URL.',
      }),
      ...receivedFields,
    }),
    404: errorSchema,
  },
  responseHeaders: { 200: setCookie },
  examples: {
    'A semicolon in quotes': { path: { kind: 'quoted-semicolon' } },
  },
  handle(request, reply) {
    const row = rows.find(([each]) => each === request.params.kind);
    if (row === undefined) {
      throw new HttpError(404, `Unknown kind. GET ${path} lists all.`);
    }
    const [kind, about, set, keeps] = row;
    const headers = [
      typeof set === 'function' ? set(basePathOf(request.baseUrl) + path) : set,
    ].flat();
    const shown = {
      kind,
      about,
      setCookie: headers.map(asText),
      keeps,
      ...receivedCookies(request),
    };
    // A string body would make Node encode the bytes of the headers as UTF-8 again.
    const body = Buffer.from(JSON.stringify(shown));
    return reply.header('set-cookie', headers).type(jsonContentType).send(body);
  },
});
