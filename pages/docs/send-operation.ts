/** Sends the request of an operation, and responds to a Digest challenge. */

import { addressOf } from '../shared/address-of.js';
import { type ReceivedResponse, sendRequest } from '../shared/send-request.js';
import { withVisitor } from '../shared/visitor/visitor-headers.js';
import type { MadeRequest } from './form/request-of.js';

/** The browser sends and stores cookies only here; these paths send no challenge. */
const givesCookies = /^\/api\/auth\/(?:csrf|session)\//i;

export async function sendOperation(request: MadeRequest): Promise<ReceivedResponse> {
  const { digest, ...plain } = request;
  const headers = digest === undefined ? plain.headers : await withDigest(request, digest);
  return sendRequest({ ...plain, headers, times: 1, keepsCookies: givesCookies.test(plain.path) });
}

async function withDigest(
  { method, path, headers }: MadeRequest,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<Readonly<Record<string, string>>> {
  const url = addressOf(path);
  const [{ DigestClient }, challenged] = await Promise.all([
    import('digest-fetch'),
    fetch(url, { method, headers: withVisitor(url, headers), credentials: 'omit' }),
  ]);
  const challenge = challenged.headers.get('WWW-Authenticate') ?? '';
  const [, algorithm = 'MD5'] = /\balgorithm="?([\w-]+)/i.exec(challenge) ?? [];
  const client = new DigestClient(username, password, { algorithm });
  client.parseAuth(challenge);
  return client.addAuth(url, { method, headers }).headers as Readonly<Record<string, string>>;
}
