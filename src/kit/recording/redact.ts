/** Removes credentials from what is recorded of a request. */

import type { Exchange, Pair, RequestEntry } from './exchange-record.js';

const removed = '(removed)';

/** Names of headers and parameters whose values may be credentials. */
const secretName =
  /auth|cookie|key|token|secret|passw|signature|credential|session|assertion|jwt|csrf|xsrf|dpop|code|nonce|state|ticket|referer|digest|hmac|verifier|challenge|client-cert/i;

/** Headers and parameters that match the pattern, and are harmless. */
const harmlessNames = new Set([
  'idempotency-key',
  'sec-websocket-key',
  'sec-websocket-accept',
  'content-digest',
  'repr-digest',
  'digest',
  'www-authenticate',
  'status_code',
]);

/** The part of a URL that acts as an account or a pupil. */
const secretAddress = /\/s\/~[^/?#\s"]*/g;

const maxHeaders = 30;
const maxLength = 200;
const maxPathLength = 500;

/** Shortens an exchange to an entry of the log. */
export function entryOf(exchange: Exchange): RequestEntry {
  const { method, path, query, status, atMs, endMs, requestId, fault, httpVersion } = exchange;
  return {
    method,
    path: path.replace(secretAddress, '/s/~…').slice(0, maxPathLength),
    query: pairsOf([...query]),
    status,
    atMs,
    durationMs: Math.max(0, Math.round((endMs - atMs) * 100) / 100),
    requestId,
    fault,
    httpVersion,
    headers: pairsOf(rawPairs(exchange.rawHeaders)),
    responseHeaders: pairsOf(
      Object.entries(exchange.responseHeaders).flatMap(([name, value]) =>
        [value].flat().map((each) => [name, String(each)] as const),
      ),
    ),
    bodyBytes: exchange.bodyBytes,
    responseBytes: exchange.responseBytes,
  };
}

function pairsOf(pairs: readonly Pair[]): Pair[] {
  return pairs.slice(0, maxHeaders).map(([name, value]) => {
    const isSecret = secretName.test(name) && !harmlessNames.has(name.toLowerCase());
    return [name.slice(0, 64), isSecret ? removed : withoutSecrets(value).slice(0, maxLength)];
  });
}

/** Also removes the query and fragment of URLs with credentials, such as in Location. */
function withoutSecrets(value: string): string {
  const text = value.replace(secretAddress, '/s/~…');
  const queryAt = text.search(/[?#]/);
  if (queryAt < 0 || !/^(?:https?:\/\/|\/)/i.test(text)) return text;
  return secretName.test(text.slice(queryAt)) ? `${text.slice(0, queryAt)}?${removed}` : text;
}

function rawPairs(raw: readonly string[]): Pair[] {
  const pairs: Pair[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    pairs.push([raw[index] ?? '', raw[index + 1] ?? '']);
  }
  return pairs;
}
