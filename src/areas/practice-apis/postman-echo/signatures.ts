/** Hawk and OAuth 1.0a: signatures with the documented keys. */

import { createHmac } from 'node:crypto';
import { isFault } from '#http/credentials/fault.js';
import { isSameSecret } from '#http/credentials/is-same-secret.js';
import { parseAuthParams } from '#http/digest/parse-auth-params.js';
import type { Call } from '../dialect/call.js';
import { Outcome } from '../dialect/outcome.js';

const hawkId = 'dh37fgj492je';
const hawkKey = 'werxhqb98rpaxn39848xrunpaw3489ruxnpa98w4rxn';
const skewMs = 60_000;

function unauthorized(message: string): Outcome {
  const body = { statusCode: 401, error: 'Unauthorized', message, attributes: { error: message } };
  return new Outcome(401, body, { 'www-authenticate': `Hawk error="${message}"` });
}

function paramsOf(call: Call, scheme: string): ReadonlyMap<string, string> | undefined {
  const [given = '', ...rest] = (call.header('authorization') ?? '').split(' ');
  if (given.toLowerCase() !== scheme) return undefined;
  const params = parseAuthParams(rest.join(' '));
  return isFault(params) ? undefined : params;
}

export async function hawk(call: Call) {
  const params = paramsOf(call, 'hawk');
  if (params === undefined)
    return new Outcome(
      401,
      { ...(unauthorized('').body as object), message: 'Missing authentication', attributes: {} },
      { 'www-authenticate': 'Hawk' },
    );
  const [id, ts, nonce, mac, hash = '', ext = ''] = ['id', 'ts', 'nonce', 'mac', 'hash', 'ext'].map(
    (name) => params.get(name),
  );
  if (!id || !ts || !nonce || !mac) return unauthorized('Missing attributes');
  if (id !== hawkId) return unauthorized('Unknown credentials');
  const { protocol, hostname, port, pathname, search } = new URL(call.sentUrl);
  const usual = protocol === 'https:' ? '443' : '80';
  const app = params.get('app');
  const lines = [
    'hawk.1.header',
    ts,
    nonce,
    call.request.method,
    pathname + search,
    hostname,
    port || usual,
    hash,
    ext,
  ];
  const all = app === undefined ? lines : [...lines, app, params.get('dlg') ?? ''];
  const expected = createHmac('sha256', hawkKey)
    .update(`${all.join('\n')}\n`)
    .digest('base64');
  if (!isSameSecret(mac, expected)) return unauthorized('Bad mac');
  if (Math.abs(Number(ts) * 1000 - (await call.now())) > skewMs)
    return unauthorized('Stale timestamp');
  return { message: 'Hawk Authentication Successful' };
}

const consumerKey = 'RKCGzna7bv9YD57c';
const consumerSecret = 'D+EdQ-gs$-%@2Nu7';
const hashes: Readonly<Record<string, string>> = { 'HMAC-SHA1': 'sha1', 'HMAC-SHA256': 'sha256' };

/** RFC 5849 section 3.6. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Parameters may be in the header, or in the query (RFC 5849 section 3.5). */
export function oauth1(call: Call) {
  const url = new URL(call.sentUrl);
  const header = [...(paramsOf(call, 'oauth') ?? [])].map(
    ([name, value]) => [name, decoded(value)] as const,
  );
  const all = [...header.filter(([name]) => name !== 'realm'), ...url.searchParams];
  const read = (name: string) => all.find(([each]) => each === name)?.[1] ?? '';
  const method = read('oauth_signature_method');
  const hash = Object.hasOwn(hashes, method) ? hashes[method] : undefined;
  const signed = all.filter(([name]) => name !== 'oauth_signature');
  const pairs = signed.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort();
  const baseUri = url.origin + url.pathname;
  const params = pairs.join('&');
  const base = [call.request.method, baseUri, params].map(encoded).join('&');
  const key = `${encoded(consumerSecret)}&`;
  const expected = hash && createHmac(hash, key).update(base).digest('base64');
  const isRight = expected !== undefined && isSameSecret(read('oauth_signature'), expected);
  if (isRight && read('oauth_consumer_key') === consumerKey) {
    return { status: 'pass', message: 'OAuth-1.0a signature verification was successful' };
  }
  return new Outcome(401, {
    status: 'fail',
    message: `${method || 'HMAC-SHA1'} verification failed`,
    base_uri: baseUri,
    normalized_param_string: params,
    base_string: base,
    signing_key: key,
  });
}
