/** A table of header values, queries and paths for every parser, of about a given size. */

import type { BodyCase } from './body-cases.js';
import { fill, list, name } from './measured-request.js';

/** On HTTP/1.1, request line and headers have at most 16 KiB. */
const largest = 14 * 1024;

const generic: Readonly<Record<string, (size: number) => string>> = {
  letters: (size) => 'a'.repeat(size),
  commas: (size) => ','.repeat(size),
  items: (size) => fill('a,', size),
  'space inside': (size) => `a${' '.repeat(size)}a`,
  'tabs inside': (size) => `a${'\t'.repeat(size)}a`,
  'space and commas': (size) => fill(' ,', size),
  'quoted strings': (size) => fill('"a", ', size),
  'unclosed quotes': (size) => `a="${fill('\\"', size)}`,
  parameters: (size) => `a${fill(';b=c', size)}`,
  'items with weights': (size) => list(size / 12, (index) => `a/${name(index)};q=0`).join(),
  'parameters of a string': (size) => `"a"${fill(';b="c"', size)}`,
  'escapes in a string': (size) => `"${fill('\\\\', size)}"`,
  semicolons: (size) => ';'.repeat(size),
  'equals signs': (size) => '='.repeat(size),
  colons: (size) => ':'.repeat(size),
  dots: (size) => fill('a.', size),
  escapes: (size) => fill('%41', size),
  digits: (size) => `1${'0'.repeat(size)}x`,
  brackets: (size) => '['.repeat(size),
};

const headers: readonly (readonly [target: string, ...headers: string[]])[] = [
  ['GET /api/methods/any', 'X-Forwarded-For', 'X-Forwarded-Host', 'Forwarded', 'Origin', 'Referer'],
  ['GET /api/methods/any', 'traceparent', 'X-Request-Id', 'X-Sandbox', 'Cache-Control', 'Link'],
  ['OPTIONS /api/Books', 'Access-Control-Request-Headers'],
  ['GET /api/Books?limit=1', 'Accept', 'Accept-Encoding', 'Accept-Language', 'Prefer'],
  ['GET /api/http/formats', 'Accept'],
  ['GET /api/http/encoding', 'Accept-Encoding'],
  ['GET /api/http/bytes/1000', 'Range', 'If-Range'],
  ['GET /api/Books/1', 'If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since'],
  ['POST /s/growth/api/Books', 'Content-Type', 'Idempotency-Key', 'Content-Encoding'],
  ['POST /api/methods/post', 'Content-Type', 'Content-Digest'],
  ['POST /api/soap/calculator', 'Content-Type', 'SOAPAction'],
  ['POST /s/growth/api/http/uploads', 'Content-Disposition', 'Content-Type'],
  ['POST /s/growth/api/http/uploads/tus', 'Upload-Metadata', 'Upload-Length'],
  ['GET /api/http/cookies', 'Cookie'],
  ['GET /httpbin/cookies', 'Cookie'],
  ['GET /api/auth/session/me', 'Cookie'],
  ['GET /api/auth/signature', 'Signature-Input', 'Signature', 'Accept-Signature'],
  ['GET /api/auth/digest', 'Authorization'],
  ['GET /api/auth/sigv4', 'Authorization', 'X-Amz-Date', 'X-Amz-Content-Sha256'],
  ['GET /api/auth/basic', 'Authorization'],
  ['GET /oidc/userinfo', 'DPoP', 'Authorization'],
  ['POST /api/webhooks/verify/stripe', 'Stripe-Signature'],
  ['POST /api/webhooks/verify/standard', 'Webhook-Signature'],
];

/** The prefix of the value, which makes its parser begin. */
const schemes: Readonly<Record<string, string>> = {
  'GET /api/auth/digest': 'Digest ',
  'GET /api/auth/sigv4': 'AWS4-HMAC-SHA256 ',
  'GET /api/auth/basic': 'Basic ',
  'GET /oidc/userinfo': 'Bearer ',
  'GET /api/http/bytes/1000': 'bytes=',
};

const body = (method: string) => (method === 'POST' ? { body: '{}' } : {});

const signedFields: BodyCase[] = [
  {
    title: 'GET /api/auth/signature with members of a dictionary',
    largest: 10 * 1024,
    make: (size) => ({
      path: '/api/auth/signature',
      headers: {
        'Signature-Input': `s=(${list(50, (index) => `"d";key="${name(index)}"`).join(' ')});keyid="test-key-ed25519"`,
        Signature: 's=:AAAA:',
        D: list(size / 8, (index) => `${name(index)}=1`).join(', '),
      },
    }),
  },
  {
    title: 'GET /api/auth/signature with parameters of the query',
    largest: 10 * 1024,
    make: (size) => ({
      path: `/api/auth/signature?${list(size / 7, (index) => `${name(index)}=1`).join('&')}`,
      headers: {
        'Signature-Input': `s=(${list(50, (index) => `"@query-param";name="${name(index)}"`).join(' ')});keyid="test-key-ed25519"`,
        Signature: 's=:AAAA:',
      },
    }),
  },
];

/** Signed now, but wrongly, so that each usual mistake is tried. */
function signedByAws(names: readonly string[], headers: Readonly<Record<string, string>> = {}) {
  const time = new Date().toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = `${time.slice(0, 8)}/us-east-1/iam/aws4_request`;
  const signed = ['host', 'x-amz-date', ...names].sort().join(';');
  return {
    'X-Amz-Date': time,
    Authorization: `AWS4-HMAC-SHA256 Credential=AKIDPRACTICE/${scope}, SignedHeaders=${signed}, Signature=${'0'.repeat(64)}`,
    ...headers,
  };
}

const sigv4 = '/api/auth/sigv4';
const awsQueries: Readonly<Record<string, (size: number) => string>> = {
  parameters: (size) => list(size / 6, (index) => `${name(index)}=1`).join('&'),
  spaces: (size) => `a=${'+'.repeat(size)}`,
  escapes: (size) => `a=${fill('%C3%A9', size)}`,
  'equals signs': (size) => '='.repeat(size),
  ampersands: (size) => '&'.repeat(size),
};

const awsCases: readonly BodyCase[] = [
  ...Object.entries(awsQueries).map(
    ([shape, make]): BodyCase => ({
      title: `GET ${sigv4} with a query: ${shape}`,
      largest: 12 * 1024,
      make: (size) => ({ path: `${sigv4}?${make(size)}`, headers: signedByAws([]) }),
    }),
  ),
  {
    title: `GET ${sigv4} with segments of the path`,
    largest: 1900,
    make: (size) => ({ path: `${sigv4}/${fill('a%20/../', size)}`, headers: signedByAws([]) }),
  },
  {
    title: `GET ${sigv4} with signed headers`,
    largest: 12 * 1024,
    make(size) {
      const names = list(size / 14, name);
      const headers = Object.fromEntries(names.map((each) => [each, '1']));
      return { path: sigv4, headers: signedByAws(names, headers) };
    },
  },
  {
    title: `GET ${sigv4} with spaces in a signed header`,
    largest: 12 * 1024,
    make: (size) => ({ path: sigv4, headers: signedByAws(['d'], { d: `a${' '.repeat(size)}a` }) }),
  },
];

const headerCases: readonly BodyCase[] = headers.flatMap(([target, ...names]) => {
  const [method = '', path = ''] = target.split(' ');
  return names.flatMap((header) =>
    Object.entries(generic).map(
      ([shape, make]): BodyCase => ({
        title: `${target} with ${header}: ${shape}`,
        largest,
        make: (size) => ({
          method,
          path,
          headers: { [header]: (schemes[target] ?? '') + make(size) },
          ...body(method),
        }),
      }),
    ),
  );
});

const queryShapes: Readonly<Record<string, (size: number) => string>> = {
  parameters: (size) => list(size / 6, (index) => `${name(index)}=1`).join('&'),
  'short names': (size) => list(size / 3, (index) => index.toString(36)).join('&'),
  'names like those that are known': (size) =>
    list(size / 16, (index) => `staleIfErr${name(index)}=1`).join('&'),
  'one parameter repeated': (size) => fill('a=1&', size),
  ampersands: (size) => '&'.repeat(size),
  escapes: (size) => `a=${fill('%C3%A9', size)}`,
  'malformed escapes': (size) => `a=${fill('%FF', size)}`,
  'a dotted name': (size) => `${fill('a.', size)}b=1`,
  'a name with brackets': (size) => `a${fill('[b]', size)}=1`,
  'question marks': (size) => '?'.repeat(size),
};

const bookQueries: Readonly<Record<string, (size: number) => string>> = {
  'sort fields': (size) => `sort=${fill('title,', size)}title`,
  'selected fields': (size) => `fields=${fill('title,', size)}title`,
  ids: (size) => `id=${fill('1,', size)}1`,
  'a long number': (size) => `pages_gte=${'1'.repeat(size)}x`,
  'a long fraction': (size) => `rating_gte=${'1'.repeat(size)}x`,
  'a long date': (size) => `published_gte=${'1'.repeat(size)}`,
  'filters of one field': (size) => fill('title=a&', size),
};

const queries: readonly (readonly [string, typeof queryShapes])[] = [
  ['/api/methods/get', queryShapes],
  ['/httpbin/get', queryShapes],
  ['/api/Books', { ...queryShapes, ...bookQueries }],
  ['/oidc/authorize', queryShapes],
  ['/api/http/cache/growth', queryShapes],
  ['/api/http/bytes/10', queryShapes],
  ['/api/http/cookies/set', queryShapes],
  ['/httpbin/response-headers', queryShapes],
];

const queryCases = queries.flatMap(([path, shapes]) =>
  Object.entries(shapes).map(
    ([shape, make]): BodyCase => ({
      title: `GET ${path} with a query of ${shape}`,
      largest,
      make: (size) => ({ path: `${path}?${make(size)}` }),
    }),
  ),
);

const paths: Readonly<Record<string, (size: number) => string>> = {
  slashes: (size) => '/'.repeat(size),
  segments: (size) => fill('/a', size),
  'dot segments': (size) => fill('/..', size),
  escapes: (size) => `/${fill('%41', size)}`,
  'an unknown path': (size) => `/api/${fill('boks/', size)}`,
  'base64 with equals signs': (size) => `/httpbin/base64/${'='.repeat(size)}A`,
  statuses: (size) => `/api/http/status/${fill('200,', size)}200`,
  'weighted statuses': (size) => `/httpbin/status/${fill('200:0.1,', size)}200`,
  'a long id': (size) => `/api/Books/${'1'.repeat(size)}`,
  'a long sandbox': (size) => `/s/${'a'.repeat(size)}/health`,
};

const pathCases = Object.entries(paths).map(
  ([shape, make]): BodyCase => ({
    title: `a path of ${shape}`,
    largest,
    make: (size) => ({ path: make(size) }),
  }),
);

export const headCases = [
  ...headerCases,
  ...signedFields,
  ...awsCases,
  ...queryCases,
  ...pathCases,
];
