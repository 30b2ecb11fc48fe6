/** Calls of httpbin's paths. */

import { authenticateByDigest, challengeParams } from '../../support/authenticate-by-digest.js';
import type { Caller, CallTable } from '../caller.js';

const bodyMethods = ['delete', 'get', 'patch', 'post', 'put', 'trace'] as const;
const anyMethods = [...bodyMethods, 'head', 'options'] as const;
const query = { city: 'Zürich' };
const basic = (user: string) => `Basic ${Buffer.from(user).toString('base64')}`;

export const callHttpbin: CallTable = async (caller) => {
  await callEchoes(caller);
  await callLogins(caller);
  await callResponses(caller);
  await callRedirects(caller);
  await callContent(caller);
};

async function callEchoes(caller: Caller): Promise<void> {
  await caller.call('getHttpbin', 'The page');
  await caller.call('getHttpbinGet', 'A query', { query });
  for (const method of ['get', 'post', 'put', 'patch', 'delete']) {
    const name = `Httpbin${method.charAt(0).toUpperCase()}${method.slice(1)}`;
    await caller.call(`options${name}`, 'The supported methods');
    if (method === 'get') continue;
    await caller.call(method + name, 'A JSON body', { json: { name: 'Ada' } });
    await caller.call(method + name, 'A form', {
      type: 'application/x-www-form-urlencoded',
      body: 'name=Ada&tag=a&tag=b',
    });
    await caller.call(method + name, 'Bytes that are not text', {
      type: 'application/octet-stream',
      body: Uint8Array.of(0xff, 0),
      isNoExample: true,
    });
  }
  for (const method of anyMethods) {
    const call = { query, unkeptHeaders: ['allow'] };
    await caller.call(`${method}HttpbinAnything`, 'A query', call);
    const path = { subPath: 'here' };
    await caller.call(`${method}HttpbinAnythingBySubPath`, 'A path', { ...call, path });
  }
  await caller.call('getHttpbinHeaders', 'The headers');
  await caller.call('getHttpbinIp', 'The IP address');
  await caller.call('getHttpbinUserAgent', 'The client');
  for (const method of bodyMethods) {
    await caller.call(`${method}HttpbinDelayBySeconds`, 'No delay', { path: { seconds: 0 } });
  }
}

async function callLogins(caller: Caller): Promise<void> {
  const path = { user: 'ada', passwd: 'secret' };
  const right = { path, headers: { Authorization: basic('ada:secret') } };
  await caller.call('getHttpbinBasicAuthByUserByPasswd', 'The right password', right);
  await caller.call('getHttpbinBasicAuthByUserByPasswd', 'Without credentials', { path });
  await caller.call('getHttpbinHiddenBasicAuthByUserByPasswd', 'The right password', right);
  await caller.call('getHttpbinHiddenBasicAuthByUserByPasswd', 'Without credentials', { path });
  const headers = { Authorization: 'Bearer any-token' };
  await caller.call('getHttpbinBearer', 'Any token', { headers });
  await caller.call('getHttpbinBearer', 'Without a token');
  await callDigest(caller, '', { qop: 'auth', ...path });
  await callDigest(caller, 'ByAlgorithm', { qop: 'auth', ...path, algorithm: 'SHA-256' });
  const until = { qop: 'auth', ...path, algorithm: 'MD5', staleAfter: 2 };
  await callDigest(caller, 'ByAlgorithmByStaleAfter', until);
}

async function callDigest(
  caller: Caller,
  name: string,
  path: Readonly<Record<string, string | number>>,
): Promise<void> {
  const operationId = `getHttpbinDigestAuthByQopByUserByPasswd${name}`;
  const target = `/httpbin/digest-auth/${Object.values(path).join('/')}`;
  const first = await caller.call(operationId, 'The challenge', { path });
  const challenge = String(first.headers['www-authenticate']);
  if (challengeParams(challenge).nonce === undefined) throw new Error(challenge);
  const response = { username: 'ada', password: 'secret' };
  const authorization = authenticateByDigest(challenge, { ...response, uri: target });
  await caller.call(operationId, 'Its response', {
    path,
    headers: { Authorization: authorization },
  });
  const query = { 'require-cookie': '1' };
  const uri = `${target}?require-cookie=1`;
  const again = String(
    (await caller.send(operationId, { path, query })).headers['www-authenticate'],
  );
  await caller.call(operationId, 'Without the cookie', {
    path,
    query,
    headers: { Authorization: authenticateByDigest(again, { ...response, uri }) },
  });
}

async function callResponses(caller: Caller): Promise<void> {
  for (const method of anyMethods) {
    await caller.call(`${method}HttpbinStatusByCodes`, 'A teapot', { path: { codes: '418' } });
    await caller.call(`${method}HttpbinStatusByCodes`, 'A success', { path: { codes: '202' } });
    await caller.call(`${method}HttpbinStatusByCodes`, 'No status', { path: { codes: 'x' } });
  }
  for (const method of ['get', 'post']) {
    const operationId = `${method}HttpbinResponseHeaders`;
    await caller.call(operationId, 'A header', { query: { 'X-Animal': 'dog' } });
    await caller.call(operationId, 'A forbidden header', { query: { Server: 'x' } });
  }
  const ifNoneMatch = { headers: { 'If-None-Match': '"abc"' } };
  await caller.call('getHttpbinCache', 'The first time', { isNoExample: true });
  await caller.call('getHttpbinCache', 'Not modified', ifNoneMatch);
  await caller.call('getHttpbinCacheBySeconds', 'For a minute', { path: { seconds: 60 } });
  const path = { etag: 'abc' };
  await caller.call('getHttpbinEtagByEtag', 'The first time', { path });
  await caller.call('getHttpbinEtagByEtag', 'Not modified', { path, ...ifNoneMatch });
  await caller.call('getHttpbinEtagByEtag', 'Another version', {
    path,
    headers: { 'If-Match': '"xyz"' },
  });
}

async function callRedirects(caller: Caller): Promise<void> {
  const path = { n: 2 };
  await caller.call('getHttpbinRedirectByN', 'Two hops', { path });
  await caller.call('getHttpbinRelativeRedirectByN', 'Two hops', { path });
  await caller.call('getHttpbinAbsoluteRedirectByN', 'Two hops', { path });
  for (const method of bodyMethods) {
    const operationId = `${method}HttpbinRedirectTo`;
    await caller.call(operationId, 'A path', { query: { url: '/httpbin/get' } });
    await caller.call(operationId, 'Another host', { query: { url: 'http://example.org/' } });
  }
  const cookie = { headers: { Cookie: 'theme=dark' } };
  await caller.call('getHttpbinCookies', 'One', cookie);
  await caller.call('getHttpbinCookiesSet', 'One', { query: { theme: 'dark' } });
  await caller.call('getHttpbinCookiesSet', 'No name', { query: { 'a b': 'c' } });
  const named = { path: { name: 'theme', value: 'dark' } };
  await caller.call('getHttpbinCookiesSetByNameByValue', 'One', named);
  await caller.call('getHttpbinCookiesSetByNameByValue', 'No name', {
    path: { name: 'a b', value: 'c' },
  });
  await caller.call('getHttpbinCookiesDelete', 'One', { query: { theme: '' } });
  await caller.call('getHttpbinCookiesDelete', 'No name', { query: { 'a b': '' } });
  await caller.call('getHttpbinLinksByN', 'Three', { path: { n: 3 } });
}

async function callContent(caller: Caller): Promise<void> {
  const kept = ['Html', 'Xml', 'RobotsTxt', 'Deny', 'EncodingUtf8', 'FormsPost'];
  const images = ['ImagePng', 'ImageJpeg', 'ImageWebp', 'ImageSvg', 'Image'];
  for (const name of [...kept, ...images]) {
    const operationId = `getHttpbin${name}`;
    const isNoExample =
      images.includes(name) && name !== 'ImageSvg' ? { isNoExample: true as const } : {};
    const first = await caller.call(operationId, 'The first time', isNoExample);
    const headers = { 'If-None-Match': String(first.headers.etag) };
    await caller.call(operationId, 'Not modified', { headers });
  }
  await caller.call('getHttpbinImage', 'No supported type', { headers: { Accept: 'text/html' } });
  await caller.call('getHttpbinJson', 'The document');
  for (const name of ['Gzip', 'Deflate', 'Brotli']) {
    await caller.call(`getHttpbin${name}`, 'Compressed', { isNoExample: true });
  }
  await caller.call('getHttpbinBase64ByValue', 'A text', { path: { value: 'SGVsbG8' } });
  await caller.call('getHttpbinBase64ByValue', 'Invalid base64', { path: { value: '!' } });
  const seeded = { path: { n: 10 }, query: { seed: '0' }, isNoExample: true } as const;
  for (const name of ['Bytes', 'StreamBytes']) {
    await caller.call(`getHttpbin${name}ByN`, 'None', { path: { n: 0 } });
    await caller.call(`getHttpbin${name}ByN`, 'With a seed', seeded);
  }
  await callRange(caller);
  await caller.call('getHttpbinStreamByN', 'One line', { path: { n: 1 } });
  const query = { duration: 0, numbytes: 5 };
  await caller.call('getHttpbinDrip', 'No delay', { query });
  await caller.call('getHttpbinDrip', 'No bytes', { query: { numbytes: 0 } });
  await caller.call('getHttpbinLinksByNByOffset', 'The second', { path: { n: 3, offset: 1 } });
  await caller.call('getHttpbinUuid', 'A UUID', { isNoExample: true });
}

async function callRange(caller: Caller): Promise<void> {
  const operationId = 'getHttpbinRangeByN';
  const path = { n: 26 };
  await caller.call(operationId, 'All of it', { path });
  await caller.call(operationId, 'The end', { path, headers: { Range: 'bytes=-5' } });
  await caller.call(operationId, 'Beyond the end', { path, headers: { Range: 'bytes=30-' } });
  await caller.call(operationId, 'Not modified', {
    path,
    headers: { 'If-None-Match': '"range26"' },
  });
  await caller.call(operationId, 'Another version', { path, headers: { 'If-Match': '"x"' } });
  await caller.call(operationId, 'None', { path: { n: 0 } });
}
