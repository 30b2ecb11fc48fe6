/** Calls of httpbin's Digest authentication, whose credentials are computed from a challenge. */

import { authenticateByDigest, challengeParams } from '../../support/authenticate-by-digest.js';
import type { Caller, CallTable } from '../caller.js';

const path = { user: 'ada', passwd: 'secret' };

export const callHttpbinDigest: CallTable = async (caller) => {
  await callDigest(caller, '', { qop: 'auth', ...path });
  await callDigest(caller, 'ByAlgorithm', { qop: 'auth', ...path, algorithm: 'SHA-256' });
  const until = { qop: 'auth', ...path, algorithm: 'MD5', staleAfter: 2 };
  await callDigest(caller, 'ByAlgorithmByStaleAfter', until);
};

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
