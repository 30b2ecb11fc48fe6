/**
 * Every call of the description, made once with X-Sandbox and once below /s/{sandbox}, by identical
 * services: the responses differ only in links, and those stay inside.
 */

import { beforeAll, expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { Caller, type CallRequest, type MadeCall } from './caller.js';
import { maxAccounts } from './calls/accounts.js';
import { Contract } from './contract.js';
import { makeCalls } from './make-calls.js';
import { nowMs } from './now.js';

const key = 'a key that is the same whenever calls are recorded';
const options = {
  now: () => nowMs,
  jwtKey: key,
  nonceKey: key,
  httpbinKey: key,
  cursorKey: key,
  maxAccounts,
};
const byHeader = useService(options);
const byAddress = useService(options);

const name = 'twin';
const prefix = `/s/${name}`;
const baseUrl = 'http://base-url.invalid';

/** Requests that name another sandbox themselves, in both ways. */
class CallerInside extends Caller {
  readonly #isInAddress: boolean;

  constructor(
    url: string,
    addresses: ConstructorParameters<typeof Caller>[1],
    isInAddress: boolean,
  ) {
    super(url, addresses);
    this.#isInAddress = isInAddress;
  }

  override send(operationId: string, request: CallRequest = {}) {
    const { headers = {} } = request;
    const own = headers['X-Sandbox'];
    // The path names a sandbox itself.
    if (request.prefix !== undefined) return super.send(operationId, request);
    if (!this.#isInAddress) {
      return super.send(operationId, { ...request, headers: { 'X-Sandbox': name, ...headers } });
    }
    if (own !== undefined) return super.send(operationId, request);
    return super.send(operationId, { ...request, prefix });
  }
}

let pairs: readonly (readonly [header: MadeCall, address: MadeCall])[];
beforeAll(async () => {
  const contract = new Contract((await byHeader.send('GET /openapi.json?formats=all')).json);
  const [first, second] = [
    await makeCalls(new CallerInside(byHeader.url, contract.addresses, false), contract),
    await makeCalls(new CallerInside(byAddress.url, contract.addresses, true), contract),
  ];
  const byTitle = new Map(second.map((made) => [titleOf(made), made]));
  const titles = (made: readonly MadeCall[]) =>
    [...new Set(made.filter((each) => !isOfPath(each)).map(titleOf))].sort();
  expect(titles(second)).toEqual(titles(first));
  pairs = first
    .filter((made) => byTitle.has(titleOf(made)))
    .map((made) => [made, byTitle.get(titleOf(made)) as MadeCall]);
}, 400_000);

const titleOf = ({ operationId, name: what }: MadeCall) => `${operationId}, ${what}`;

/** Whether its credentials are computed for the path without the sandbox, so that other calls follow from it inside. */
const isOfPath = ({ operationId }: MadeCall) => /Digest|AuthSig/.test(operationId);

/** They concern the sandbox of a request whose URL belongs to another host. */
const isOwnName = ({ request }: MadeCall) => request.headers?.['X-Sandbox'] !== undefined;

/** A whole response as text, without values that differ between requests. */
function textOf({ response }: MadeCall): string {
  const { date: _date, 'x-request-id': _id, ...headers } = response.headers;
  delete (headers as Record<string, string>)['content-length'];
  delete (headers as Record<string, string>).etag;
  return [
    response.status,
    ...Object.entries(headers).map(([header, value]) => `${header}: ${value}`),
    '',
    response.bytes.toString('utf8'),
  ].join('\n');
}

/** Rewrites URLs inside the sandbox to URLs outside. */
function outside(text: string): string {
  return text
    .replaceAll(`${baseUrl}${prefix}`, baseUrl)
    .replaceAll(`Path=${prefix};`, 'Path=/;')
    .replaceAll(prefix, '');
}

/** They show or receive values that depend on the way of calling. */
const otherInside = new Set([
  'getDownloadsPracticeApiPostmanCollectionJson, The whole file',
  'getDownloadsPracticeApiHttp, The whole file',
  'getIndex, The page',
  // The table computes them for the path without the sandbox: test/sandbox/address.test.ts has the
  // right ones.
  'getAuthDigest, The response to the challenge',
  'getAuthDigest, The same response again',
  'getAuthDigest, A response to another challenge',
  // Compressed, with the time of its creation.
  'getHttpbinGzip, The usual request',
  'getHttpbinDeflate, The usual request',
  'getHttpbinBrotli, The usual request',
  'getHttpbinCache, The usual request',
  'getHttpbinDigestAuthByQopByUserByPasswd, Its response',
  'getHttpbinDigestAuthByQopByUserByPasswd, Without the cookie',
  'getHttpbinDigestAuthByQopByUserByPasswdByAlgorithm, Its response',
  'getHttpbinDigestAuthByQopByUserByPasswdByAlgorithm, Without the cookie',
  'getHttpbinDigestAuthByQopByUserByPasswdByAlgorithmByStaleAfter, Its response',
  'getHttpbinDigestAuthByQopByUserByPasswdByAlgorithmByStaleAfter, Without the cookie',
  // The paths, the ports, the size of the request, and variations by header depend on the way of
  // calling.
  'getHttpCookiesADeepPath, A cookie',
  'getHttpConnection, The connection',
  'getHttpCacheByNameHits, Without a sandbox',
  // Their own keys, forms signed with these, and an escaped issuer.
  'getOidcJwks, The keys',
  'postOidcKeysRotate, In the shared sandbox',
  'getOidcAuthorize, A login page',
  'getOidcAuthorize, Ada, without a page',
  'postOidcAuthorize, A login page',
  'postOidcAuthorize, Ada, without a page',
  'getAuthSession, The page',
  'getAuthSessionCsrf, A token',
  // The table signs the path without the sandbox: test/auth and test/signatures sign the other
  // path.
  'getAuthSigv4, A signed request',
  'getAuthSigv4, Another method was signed',
  'getAuthSignature, A signature, and one for the response',
  'getAuthSignature, An impossible request for a signature',
  'postAuthSignature, A signed body',
  // Below the address of a pupil.
  'postClasses, By a pupil',
  'getClassesMe, A pupil',
  'getClassesMe, A class that has ended',
  'getClassesRanking, A pupil',
  'getClassesRanking, A class that has ended',
  'putSandboxRecording, A pupil',
  // Its URL names a sandbox.
  'getSseChanges, A book was deleted',
  // A response that may be cached varies by the headers that name a sandbox, unless its URL does.
  'getHttpStatusByCodes, A body and a header',
  'postHttpDump, Parsed',
]);

/** A value that is signed, hashed or computed from the URL differs when the URL does. */
const signed = [
  // The issuer is part of a token.
  /eyJ[\w-]+\.[\w-]+\.[\w-]+/g,
  // The path is part of the Digest computation.
  /rspauth="[0-9a-f]+"/g,
  // Ids of requests, such as the evidence of a verdict.
  /req_01\w{22}/g,
  /[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g,
];

/** A response that shows request headers shows X-Sandbox in only one case. */
const shownHeader =
  / *"X-Sandbox": "twin",?\n|,\n *"X-Sandbox": "twin"|(?:, )?"X-Sandbox": "twin"|\{"name":"X-Sandbox","value":"twin"\},|"X-Sandbox":"twin",|X-Sandbox: twin\r\n/g;

function comparable(text: string): string {
  const plain = text.replaceAll(shownHeader, '');
  return signed.reduce((left, pattern) => left.replaceAll(pattern, '…'), plain);
}

test('all areas are called', () => {
  expect(new Set(pairs.map(([{ operationId }]) => operationId)).size).toBeGreaterThan(90);
});

test('the responses are the same except for the links', () => {
  const different = pairs.flatMap(([header, address]) => {
    if (isOwnName(header) || otherInside.has(titleOf(header).replace(/, by [A-Z]+$/, '')))
      return [];
    const [expected, found] = [comparable(textOf(header)), comparable(outside(textOf(address)))];
    return expected === found ? [] : [{ call: titleOf(header), expected, found }];
  });
  expect(different).toEqual([]);
});

/** They show recorded calls, with the paths that were called. */
const recordings = new Set([
  'getDownloadsPracticeApiPostmanCollectionJson, The whole file',
  'getOpenapiJson, The whole file',
  'getOpenapiYaml, The whole file',
  // The address of a pupil is a sandbox itself.
  'postClassesJoin, A pupil',
  'postClassesByCodeRejoin, A pupil',
  // The last request of a pupil was below such an address.
  'getClassesByIdExport, As json',
  'getClassesMe, A pupil',
  'getClassesByIdPupilsByPupil, A pupil',
  // The SDKs accept a host, and their key names the sandbox.
  'getPayments, The usual request',
  'getPayments, The page',
  // An origin has no path.
  'getAuthPasskeys, The usual request',
  ...['get', 'post', 'put', 'patch', 'delete', 'trace'].map(
    (method) => `${method}HttpbinRedirectTo, Another host`,
  ),
]);

/** Rules of fault plans, reports of bugs and bugs have paths without the sandbox. */
const isPattern = (found: string) => /\/:\w|"\/api\/Companies\/999"|","kind":"/.test(found);

test('no link leads outside', () => {
  const leading = pairs.flatMap(([, address]) => {
    if (isOwnName(address) || recordings.has(titleOf(address))) return [];
    const text = textOf(address);
    const absolute = text.match(
      /http:\/\/base-url\.invalid(?!(?:\/\.well-known\/[\w-]+)?\/s\/twin(?:[/"'\s<>&`?]|$)).{0,60}/g,
    );
    const relative = text.match(
      /"(?:url|href|path|location|self|next|prev)": ?"\/(?!s\/twin\/).{0,60}/g,
    );
    const links = /^link: .*<\/(?!s\/twin)/im.exec(text);
    const found = [...(absolute ?? []), ...(relative ?? []), ...(links ?? [])].filter(
      (each) => !isPattern(each),
    );
    return found.length === 0 ? [] : [{ call: titleOf(address), found: found.slice(0, 3) }];
  });
  expect(leading).toEqual([]);
});
