import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  canonicalQuery,
  canonicalRequest,
  canonicalValue,
  encodedOnce,
  encodedTwice,
  type Field,
  order,
  queryPairs,
} from './canonical-request.js';
import { algorithm, deriveKey, scopeText, sign, stringToSign } from './sign.js';

/** Cases of the test suite that AWS has published: requests, and their signatures in headers and in presigned URLs. */
const suite: readonly {
  readonly name: string;
  readonly sent: string;
  readonly headers: readonly Field[];
  readonly body: string;
  /** Paths without normalization are encoded as for S3. */
  readonly path: string;
  readonly token: string | undefined;
  readonly signature: string;
  readonly presigned: string;
}[] = [
  {
    name: 'get-header-key-duplicate',
    sent: 'GET /',
    headers: [
      ['my-header1', 'value2'],
      ['my-header1', 'value2'],
      ['my-header1', 'value1'],
    ],
    body: '',
    path: 'twice',
    token: undefined,
    signature: 'c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea',
    presigned: '3349ee0b81b4b589da0ff28a395c3591e04de515651dd74f298fa992d1507a97',
  },
  {
    name: 'get-header-value-order',
    sent: 'GET /',
    headers: [
      ['my-header1', 'value4'],
      ['my-header1', 'value1'],
      ['my-header1', 'value3'],
      ['my-header1', 'value2'],
    ],
    body: '',
    path: 'twice',
    token: undefined,
    signature: '08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01',
    presigned: '313720e71ca6202fdcfa9b20f88de01a4eb0638a83c833b1c184359a4eda864e',
  },
  {
    name: 'get-header-value-trim',
    sent: 'GET /',
    headers: [
      ['my-header1', ' value1'],
      ['my-header2', ' "a   b   c"'],
    ],
    body: '',
    path: 'twice',
    token: undefined,
    signature: 'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
    presigned: 'e7bb0fd515e125e1aec2ecc4c0c17484fb06f6846b927c35e46005dd3df3acd4',
  },
  {
    name: 'get-relative-normalized',
    sent: 'GET /example/..',
    headers: [],
    body: '',
    path: 'twice',
    token: undefined,
    signature: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    presigned: 'e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d',
  },
  {
    name: 'get-relative-relative-normalized',
    sent: 'GET /example1/example2/../..',
    headers: [],
    body: '',
    path: 'twice',
    token: undefined,
    signature: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    presigned: 'e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d',
  },
  {
    name: 'get-relative-relative-unnormalized',
    sent: 'GET /example1/example2/../..',
    headers: [],
    body: '',
    path: 'once',
    token: undefined,
    signature: 'dc33e0856fd4baca4d7aa2146c38958283844764f38c74252a333df5e613003b',
    presigned: 'b45db0bfd1cf15003493b733e33aa208dd981bd0e63037a6ed953f71d2118a16',
  },
  {
    name: 'get-relative-unnormalized',
    sent: 'GET /example/..',
    headers: [],
    body: '',
    path: 'once',
    token: undefined,
    signature: 'eca7ead57bb5aa5c8e28007acd4ff04e1ff9a0ff3b237ec1554a184887ff9282',
    presigned: 'cbcb213b928a077e43275df47b500f1dfaa864ab3f5a18f6b95f4ff0938167ee',
  },
  {
    name: 'get-slash-dot-slash-normalized',
    sent: 'GET /./',
    headers: [],
    body: '',
    path: 'twice',
    token: undefined,
    signature: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    presigned: 'e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d',
  },
  {
    name: 'get-slash-dot-slash-unnormalized',
    sent: 'GET /./',
    headers: [],
    body: '',
    path: 'once',
    token: undefined,
    signature: '68714168e6557f8f2de0ef956fc24dc2593a4bd2961f8df51898d8a134695145',
    presigned: 'a9b13e8f3484d9505bf1a6f347219f8f35b0fe8f128ceea597efc146a3dfe90c',
  },
  {
    name: 'get-slash-normalized',
    sent: 'GET //',
    headers: [],
    body: '',
    path: 'twice',
    token: undefined,
    signature: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    presigned: 'e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d',
  },
  {
    name: 'get-slash-pointless-dot-normalized',
    sent: 'GET /./example',
    headers: [],
    body: '',
    path: 'twice',
    token: undefined,
    signature: 'ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5',
    presigned: '35034b1a0bdd969f346975386daf8aedfd4976573b8348cf4f67eaa41c5857de',
  },
  {
    name: 'get-slash-pointless-dot-unnormalized',
    sent: 'GET /./example',
    headers: [],
    body: '',
    path: 'once',
    token: undefined,
    signature: 'beb03f223f7deae4146464f06e29eebbee9c8afbe15c290cf07aa8b119e14cff',
    presigned: '72b11f16d9530b18204bfb71f2d6ab085894c0ed8d352730a6e76234c58b5e10',
  },
  {
    name: 'get-slash-unnormalized',
    sent: 'GET //',
    headers: [],
    body: '',
    path: 'once',
    token: undefined,
    signature: 'c88bcd3d312d75078c0cd961d6deae3f4c754924b01669efcfcb439fd5e5b76e',
    presigned: 'b2a9542809db687769200f56a844a03f2bd0291d6eb90232d5101c6a579446cd',
  },
  {
    name: 'get-slashes-normalized',
    sent: 'GET //example//',
    headers: [],
    body: '',
    path: 'twice',
    token: undefined,
    signature: '9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84',
    presigned: 'c1834e8fb0307243711f0f907f6ab7311ed300d87f13792d7ee4da89ab93e082',
  },
  {
    name: 'get-slashes-unnormalized',
    sent: 'GET //example//',
    headers: [],
    body: '',
    path: 'once',
    token: undefined,
    signature: '87cca117541a147f6df867677d98a7d80dff226d2bfca9e4ffa899665623c7e5',
    presigned: '822a5a9ba28072c5ab2bb4a6307d0c88276d40e49fec6b724c03fb4d4ba60fc2',
  },
  {
    name: 'get-space-normalized',
    sent: 'GET /example space/',
    headers: [],
    body: '',
    path: 'twice',
    token: undefined,
    signature: '652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741',
    presigned: '7a1f416954786484c9824d93c1f26ef64acb9b1b6c9154d08c9f07d0e394abf6',
  },
  {
    name: 'get-space-unnormalized',
    sent: 'GET /example space/',
    headers: [],
    body: '',
    path: 'once',
    token: undefined,
    signature: '652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741',
    presigned: '7a1f416954786484c9824d93c1f26ef64acb9b1b6c9154d08c9f07d0e394abf6',
  },
  {
    name: 'get-unreserved',
    sent: 'GET /-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
    headers: [],
    body: '',
    path: 'twice',
    token: undefined,
    signature: '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f',
    presigned: '95968482db1b9e0fadef6efc1bd24689f77c77d9ef56919c96a28cc92e0d6005',
  },
  {
    name: 'get-utf8',
    sent: 'GET /ሴ',
    headers: [],
    body: '',
    path: 'twice',
    token: undefined,
    signature: '8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85',
    presigned: '10eae3f14a260bd3911cc6d008d3c576d143b05b62f09782a7a4b37f52178e44',
  },
  {
    name: 'get-vanilla',
    sent: 'GET /',
    headers: [],
    body: '',
    path: 'twice',
    token: undefined,
    signature: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    presigned: 'e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d',
  },
  {
    name: 'get-vanilla-empty-query-key',
    sent: 'GET /?Param1=value1',
    headers: [],
    body: '',
    path: 'twice',
    token: undefined,
    signature: 'a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb',
    presigned: '49096700cbbaa5753443850f40df10f904fc2fdb544dc9512203cc77c471a9de',
  },
  {
    name: 'get-vanilla-query',
    sent: 'GET /',
    headers: [],
    body: '',
    path: 'twice',
    token: undefined,
    signature: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    presigned: 'e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d',
  },
  {
    name: 'get-vanilla-query-order-encoded',
    sent: 'GET /?Param-3=Value3&Param=Value2&%E1%88%B4=Value1',
    headers: [],
    body: '',
    path: 'twice',
    token: undefined,
    signature: '371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac',
    presigned: 'c5f1848ceec943ac2ca68ee720460c23aaae30a2300586597ada94c4a65e4787',
  },
  {
    name: 'get-vanilla-query-order-key-case',
    sent: 'GET /?Param2=value2&Param1=value1',
    headers: [],
    body: '',
    path: 'twice',
    token: undefined,
    signature: 'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    presigned: '86012e2c9ad4d77369f5d81c11f75158aae4f895a085212cc6d3f923d300bed5',
  },
  {
    name: 'get-vanilla-query-unreserved',
    sent: 'GET /?-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz=-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
    headers: [],
    body: '',
    path: 'twice',
    token: undefined,
    signature: '9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197',
    presigned: '8e76a88a7433637b12778d5592799b29ad21ecd6cf6325051c21d86f0acda2bf',
  },
  {
    name: 'get-vanilla-utf8-query',
    sent: 'GET /?ሴ=bar',
    headers: [],
    body: '',
    path: 'twice',
    token: undefined,
    signature: '2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04',
    presigned: '0bdd809b1519ac4f0c1dc3540e2cc46bd0c7f778eda408b2ebf3b913d21ff600',
  },
  {
    name: 'get-vanilla-with-session-token',
    sent: 'GET /',
    headers: [],
    body: '',
    path: 'twice',
    token: '6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267',
    signature: '07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8',
    presigned: '7ff2b50b376cb4d151970630573d6291dc128cc5c2a12ffb237f73cc53f67b6c',
  },
  {
    name: 'post-header-key-case',
    sent: 'POST /',
    headers: [],
    body: '',
    path: 'twice',
    token: undefined,
    signature: '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
    presigned: '2ce6e6d2e0cf2f9d1b55fafec88cd20574c31dc2e7631979f71ba2310083e95b',
  },
  {
    name: 'post-header-key-sort',
    sent: 'POST /',
    headers: [['my-header1', 'value1']],
    body: '',
    path: 'twice',
    token: undefined,
    signature: 'c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c',
    presigned: 'c09d07e0d55871f10f2a6d350d994acf6825a3cae70673d7def55616e6119dd7',
  },
  {
    name: 'post-header-value-case',
    sent: 'POST /',
    headers: [['my-header1', 'VALUE1']],
    body: '',
    path: 'twice',
    token: undefined,
    signature: 'cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d',
    presigned: '0698bc9e4f7f9139065ba2909c0e99da257e8e2a42492a097bcd46d792391fed',
  },
  {
    name: 'post-vanilla',
    sent: 'POST /',
    headers: [],
    body: '',
    path: 'twice',
    token: undefined,
    signature: '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
    presigned: '2ce6e6d2e0cf2f9d1b55fafec88cd20574c31dc2e7631979f71ba2310083e95b',
  },
  {
    name: 'post-vanilla-empty-query-value',
    sent: 'POST /?Param1=value1',
    headers: [],
    body: '',
    path: 'twice',
    token: undefined,
    signature: '28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11',
    presigned: 'a9ef26247f293bffe40eeff86a0480ba8c14d31503b2e0c3399e3a16bf1a3682',
  },
  {
    name: 'post-vanilla-query',
    sent: 'POST /?Param1=value1',
    headers: [],
    body: '',
    path: 'twice',
    token: undefined,
    signature: '28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11',
    presigned: 'a9ef26247f293bffe40eeff86a0480ba8c14d31503b2e0c3399e3a16bf1a3682',
  },
  {
    name: 'post-x-www-form-urlencoded',
    sent: 'POST /',
    headers: [
      ['content-type', 'application/x-www-form-urlencoded'],
      ['content-length', '13'],
    ],
    body: 'Param1=value1',
    path: 'twice',
    token: undefined,
    signature: 'd3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b',
    presigned: '89a40deed0f26f9461242825a082d2222717248abc7ab41f552ad84a94ad46e9',
  },
  {
    name: 'post-x-www-form-urlencoded-parameters',
    sent: 'POST /',
    headers: [
      ['content-type', 'application/x-www-form-urlencoded; charset=utf-8'],
      ['content-length', '13'],
    ],
    body: 'Param1=value1',
    path: 'twice',
    token: undefined,
    signature: '328d1b9eaadca9f5818ef05e8392801e091653bafec24fcab71e7344e7f51422',
    presigned: '0dbeb9b026c7b6675f266b8427efec9b4fa8b1f6ef1477d717aea231106eab4d',
  },
];

const host: Field = ['host', 'example.amazonaws.com'];
const time = '20150830T123600Z';
const scope = { day: '20150830', region: 'us-east-1', service: 'service' };
const key = deriveKey('AWS4wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', scope);

const latin = (text: string) => Buffer.from(text).toString('latin1');

/** Joins the values of repeated headers. */
function signedHeaders(headers: readonly Field[]): Field[] {
  const names = [...new Set(headers.map(([name]) => name))].sort(order);
  return names.map((name) => [
    name,
    canonicalValue(headers.filter(([each]) => each === name).map(([, value]) => value)),
  ]);
}

function signatureOf(
  { sent, path, body }: (typeof suite)[number],
  headers: readonly Field[],
  parameters: readonly Field[] = [],
): string {
  const [method = '', target = ''] = sent.split(/ (.*)/s);
  const [sentPath = '', query = ''] = latin(target).split('?');
  const canonical = canonicalRequest({
    method,
    path: path === 'once' ? encodedOnce(sentPath) : encodedTwice(sentPath),
    query: canonicalQuery([...queryPairs(query), ...parameters]),
    headers: signedHeaders([host, ...headers]),
    payloadHash: hash('sha256', body, 'hex'),
  });
  return sign(key, stringToSign(time, scope, canonical)).toString('hex');
}

describe.each(suite)('$name of the AWS test suite', (row) => {
  test('has the expected signature in headers', () => {
    const { headers, token, body, signature } = row;
    const digest = hash('sha256', body, 'hex');
    const added: Field[] = [
      ['x-amz-date', time],
      ...(token === undefined ? [] : [['x-amz-security-token', token] as const]),
      ...(body === '' ? [] : [['x-amz-content-sha256', digest] as const]),
    ];
    expect(signatureOf(row, [...headers, ...added])).toBe(signature);
  });

  test('has the expected signature in a presigned URL', () => {
    const { headers, token, presigned } = row;
    const names = signedHeaders([host, ...headers]).map(([name]) => name);
    const parameters: Field[] = [
      ['X-Amz-Algorithm', algorithm],
      ['X-Amz-Credential', `AKIDEXAMPLE/${scopeText(scope)}`],
      ['X-Amz-Date', time],
      ['X-Amz-Expires', '3600'],
      ['X-Amz-SignedHeaders', names.join(';')],
      ...(token === undefined ? [] : [['X-Amz-Security-Token', token] as const]),
    ];
    expect(signatureOf(row, headers, parameters)).toBe(presigned);
  });
});

test.each([
  ['/a%20b', '/a%20b', '/a%2520b'],
  ['/a b', '/a%20b', '/a%20b'],
  ['/a%2Fb', '/a%2Fb', '/a%252Fb'],
  ["/(a)!'*", '/%28a%29%21%27%2A', '/%28a%29%21%27%2A'],
  ['/a//b/./c/../', '/a//b/./c/../', '/a/b/'],
  ['/../..', '/../..', '/'],
  ['', '', '/'],
])('the path %j is %j for S3, and %j for other services', (path, once, twice) => {
  expect([encodedOnce(path), encodedTwice(path)]).toEqual([once, twice]);
});

test.each([
  ['b=2&a=1', 'a=1&b=2'],
  ['a=2&a=1&A=3', 'A=3&a=1&a=2'],
  ['a-b=1&a=2', 'a=2&a-b=1'],
  ['a', 'a='],
  ['a=b=c', 'a=b%3Dc'],
  ['a+b=c+d', 'a%20b=c%20d'],
  ['a=%2b%2f', 'a=%2B%2F'],
  ['&&a=1&', 'a=1'],
  ['a=%', 'a=%25'],
  ['', ''],
])('the query %j is %j', (sent, canonical) => {
  expect(canonicalQuery(queryPairs(sent))).toBe(canonical);
});
