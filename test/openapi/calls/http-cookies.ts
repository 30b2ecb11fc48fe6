/** Calls of the cookie endpoints. */

import type { CallTable } from '../caller.js';

const headers = { 'X-Sandbox': 'mine' };

export const callHttpCookies: CallTable = async (caller) => {
  const cookie = { Cookie: 'flavour=oat; flavour=nut' };
  await caller.call('getHttpCookies', 'Two of one name', { headers: cookie });
  await caller.call('postHttpCookies', 'Many attributes', {
    json: {
      name: 'flavour',
      value: 'oat',
      maxAge: 3600,
      expires: '2027-01-01T00:00:00Z',
      httpOnly: true,
      sameSite: 'Lax',
    },
  });
  await caller.call('postHttpCookies', 'A malformed cookie', {
    json: { name: '__Host-flavour', value: 'oat', path: '/x' },
  });
  await caller.call('postHttpCookies', 'A semicolon', { json: { name: 'a', value: 'b;c' } });
  await caller.call('getHttpCookiesSet', 'Two', { query: { flavour: 'oat', size: 'small' } });
  await caller.call('getHttpCookiesSet', 'None');
  await caller.call('deleteHttpCookiesByName', 'A cookie', { path: { name: 'flavour' } });
  await caller.call('getHttpCookiesMalformed', 'All kinds');
  const kind = 'getHttpCookiesMalformedByKind';
  await caller.call(kind, 'A semicolon in quotes', { path: { kind: 'quoted-semicolon' } });
  await caller.call(kind, 'An unknown kind', { path: { kind: 'burnt' } });
  await caller.call('getHttpCookiesADeepPath', 'A cookie', { headers: cookie });
  await callJar(caller);
};

const callJar: CallTable = async (caller) => {
  const { json } = await caller.call('postHttpCookiesJar', 'A jar', { headers });
  await caller.call('postHttpCookiesJar', 'Without a sandbox');
  const path = { id: json.id };
  const visit = 'getHttpCookiesJarByIdBySubPath';
  const cookie = { ...headers, Cookie: 'plain=1; lasting=1' };
  // A step has slashes, which a path parameter would escape.
  await caller.call(visit, 'The first step', {
    path: { ...path, subPath: 'start' },
    headers: cookie,
  });
  await caller.call(visit, 'A step too far', {
    path: { ...path, subPath: 'deeper' },
    headers: cookie,
  });
  await caller.call(visit, 'An unknown step', { path: { ...path, subPath: 'nowhere' }, headers });
  await caller.call(visit, 'Without a sandbox', { path: { ...path, subPath: 'start' } });
  const judge = 'getHttpCookiesJarById';
  await caller.call(judge, 'The verdict so far', { path, headers });
  await caller.call(judge, 'An unknown exercise', { path: { id: 'unknown' }, headers });
  await caller.call(judge, 'Without a sandbox', { path });
};
