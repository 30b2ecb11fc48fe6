/** Calls of the exercise for cookie jars: its verdict is listed before its steps. */

import type { CallTable } from '../caller.js';

const headers = { 'X-Sandbox': 'mine' };

export const callHttpCookies: CallTable = async (caller) => {
  const { json } = await caller.call('postHttpCookiesJar', 'A jar', { headers });
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
  const judge = 'getHttpCookiesJarById';
  await caller.call(judge, 'The verdict so far', { path, headers });
};
