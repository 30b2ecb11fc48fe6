/** Postman Echo: descriptions of requests, authentication, cookies, codings and times. */

import { type Coding, encodeWhole } from '#http/codings/encode-body.js';
import { rejectCookies, sentCookies, setCookieHeader } from '#http/cookies/set-cookie.js';
import { basicChallenge } from '#http/credentials/challenge.js';
import { isFault } from '#http/credentials/fault.js';
import { keyedMac } from '#http/credentials/keyed-mac.js';
import { parseBasic } from '#http/credentials/parse-basic.js';
import { isSameUser } from '#http/credentials/user-credentials.js';
import { nonceSpace } from '#http/digest/nonce.js';
import { DigestVerifier } from '#http/digest/verify-digest.js';
import { addGivenHeaders } from '#http/headers/add-given-headers.js';
import { groupHeaders, headerValues } from '#http/headers/header-values.js';
import { checkSettableHeaders } from '#http/headers/settable-headers.js';
import { rejectFaults } from '#http/http-error.js';
import { isolatingHeaders } from '#http/isolating-headers.js';
import { streamOf } from '#http/sending/stream-of.js';
import type { Call } from '../dialect/call.js';
import { declareDialect } from '../dialect/declare.js';
import type { Handle } from '../dialect/dialect.js';
import { Outcome, plainText } from '../dialect/outcome.js';
import { hawk, oauth1 } from './signatures.js';
import { timeHandlers } from './times.js';
import { toNew, toOld } from './transform.js';

const headersOf = ({ request }: Call) => {
  const headers = groupHeaders(request.raw.rawHeaders, (name) => name.toLowerCase());
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
};

const describeHead = (call: Call) => ({
  args: call.request.query,
  headers: headersOf(call),
  url: call.sentUrl,
});

async function describeAll(call: Call) {
  const { args, headers, url } = describeHead(call);
  const described = {
    args,
    data: {} as unknown,
    files: {},
    form: {},
    headers,
    json: null as unknown,
    url,
  };
  if (call.bodyType === 'multipart/form-data') {
    const { form, files } = await call.form();
    const shown = files.map(({ filename, pieces }) => {
      const bytes = Buffer.concat(pieces).toString('base64');
      return [filename, `data:application/octet-stream;base64,${bytes}`];
    });
    return { ...described, files: Object.fromEntries(shown), form };
  }
  const value = await call.value();
  if (call.bodyType === 'application/x-www-form-urlencoded') {
    return { ...described, data: '', form: value ?? {}, json: value ?? null };
  }
  if (value !== undefined) return { ...described, data: value, json: value };
  const bytes = await call.bytes();
  return bytes.length === 0 ? described : { ...described, data: bytes.toString() };
}

const user = { username: 'postman', password: 'password' };
const authenticated = { authenticated: true };
const rejected = (challenge: string) =>
  new Outcome(401, 'Unauthorized', { ...plainText, 'www-authenticate': challenge });

function basic(call: Call) {
  const given = parseBasic(call.header('authorization'));
  return !isFault(given) && isSameUser(given, user) ? authenticated : rejected(basicChallenge);
}

const nonces = nonceSpace('postman-echo');
const offer = { algorithms: ['MD5'], qops: ['auth'], isQopOptional: true } as const;

async function digest(call: Call) {
  const { request, reply, services } = call;
  const mac = keyedMac(await services.runtime.signingKey('practice-apis', undefined));
  const verifier = new DigestVerifier(mac, nonces);
  const given = await verifier.read(request, call.header('authorization'), offer);
  (await verifier.verify(request, reply, { user, offer }, given)).prove();
  return authenticated;
}

const maxCookies = 50;

/** Sets or deletes the cookies in the query, and redirects to the list. */
const changeCookies =
  (isDeleted: boolean): Handle =>
  (call) => {
    const given = Object.entries(call.request.query as Readonly<Record<string, string | string[]>>);
    if (given.length > maxCookies)
      return new Outcome(400, { error: `At most ${maxCookies} cookies.` });
    const [path, secure] = [call.cookiePath, call.request.baseUrl.startsWith('https:')];
    const cookies = given.map(([name, value]) => ({
      ...{ name, path, secure },
      ...(isDeleted
        ? { value: '', maxAge: 0 }
        : { value: encodeURIComponent([value].flat()[0] ?? '') }),
    }));
    rejectCookies(cookies);
    if (cookies.length > 0) call.reply.header('set-cookie', cookies.map(setCookieHeader));
    return call.reply.redirect(`${call.cookiePath.replace(/\/$/, '')}/cookies`);
  };

function cookies({ request }: Call) {
  const sent = sentCookies(headerValues(request, 'cookie'));
  return {
    cookies: Object.fromEntries(
      sent.map(({ name, value }) => [
        name,
        decodeURIComponent(value.replace(/%(?![\da-f]{2})/gi, '%25')),
      ]),
    ),
  };
}

function setHeaders({ request, reply }: Call) {
  const query = Object.entries(request.query as Readonly<Record<string, string | string[]>>);
  const pairs = query.flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as const),
  );
  const { deniedHeaders: denied } = request.exchanges;
  rejectFaults(checkSettableHeaders(pairs, 'headers', { denied, isCookieSettable: false }));
  addGivenHeaders(reply.type('application/json; charset=utf-8'), pairs);
  reply.headers(isolatingHeaders);
  return Object.fromEntries(query);
}

const encodedIn =
  (coding: Coding, mark: string): Handle =>
  (call) => {
    const body = { [mark]: true, headers: headersOf(call), method: call.request.method };
    const type = 'application/json; charset=utf-8';
    return new Outcome(200, encodeWhole(Buffer.from(JSON.stringify(body)), coding), {
      'content-type': type,
      'content-encoding': coding,
    });
  };

function status({ params }: Call) {
  const code = Number(params.status);
  if (!/^[2-5]\d\d$/.test(params.status ?? ''))
    return new Outcome(400, { error: 'The status must be from 200 to 599.' });
  return new Outcome(code, code === 204 || code === 304 ? undefined : { status: code });
}

const maxChunks = 100;

function stream(call: Call) {
  const count = Math.min(
    Math.max(Number.parseInt(call.params.chunks ?? '', 10) || 1, 1),
    maxChunks,
  );
  const text = JSON.stringify(describeHead(call), null, 2);
  call.reply.type('application/json; charset=utf-8');
  return call.reply.send(streamOf(call.request, () => Array<string>(count).fill(text)));
}

async function delay(call: Call) {
  await call.wait(Number(call.params.seconds) * 1000);
  return { delay: call.params.seconds };
}

const utf8 =
  '<h1>Text in UTF-8</h1><p>Grüße · Ἑλλάς · Привет · 你好 · こんにちは · שלום · ✓ ∑ √ €</p>';

async function transform(call: Call) {
  const [from, to] = [call.query('from') ?? '1', call.query('to') ?? '2'];
  const body = await call.body();
  if (from === to) return body;
  return from.startsWith('1') ? toNew(body) : toOld(body);
}

export const dialect = declareDialect(
  'postman-echo',
  {
    get: describeHead,
    post: describeAll,
    put: describeAll,
    patch: describeAll,
    delete: describeAll,
    getHeaders: (call) => ({ headers: headersOf(call) }),
    setHeaders,
    basicAuth: basic,
    digestAuth: digest,
    hawkAuth: hawk,
    oauth1,
    getCookies: cookies,
    setCookies: changeCookies(false),
    deleteCookies: changeCookies(true),
    getStatus: status,
    delay,
    stream,
    utf8: () => utf8,
    gzip: encodedIn('gzip', 'gzipped'),
    deflate: encodedIn('deflate', 'deflated'),
    ip: ({ request }) => ({ ip: request.ip }),
    ...timeHandlers,
    transform,
  },
  {
    unknown: () => new Outcome(404, 'Not Found', plainText),
    failure: (code, message) => (code === 401 ? 'Unauthorized' : { error: message }),
  },
);
