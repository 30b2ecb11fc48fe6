/** Looks for common mistakes of signers: tries each against the wrong signature. */

import { hash } from 'node:crypto';
import { isSameMac } from '#http/credentials/keyed-mac.js';
import {
  type CanonicalParts,
  canonicalRequest,
  decode,
  encode,
  encodedOnce,
  encodedTwice,
  type Field,
} from './canonical-request.js';
import type { Difference } from './difference.js';
import { unsignedPayload } from './payload-hash.js';
import type { PresentedSignature } from './read-signature.js';
import { deriveKey, scopeText, sign, stringToSign } from './sign.js';
import { isS3, type SentRequest } from './signed-request.js';

type Try<Value> = readonly [part: string, value: Value, message: string];

export interface WrongSignature {
  readonly sent: SentRequest;
  readonly signature: PresentedSignature;
  readonly parts: CanonicalParts;
  readonly secret: string;
}

/** At most about eighty tries, each over a few times the size of the request's head. */
export function findDifference(wrong: WrongSignature): Difference {
  const { signature, parts, secret } = wrong;
  const { time, scope } = signature;
  const key = deriveKey(`AWS4${secret}`, scope);
  const isMatch = (text: string, by = key) => isSameMac(sign(by, text), signature.signature);
  const right = stringToSign(time, scope, canonicalRequest(parts));

  for (const [part, other, message] of otherKeys(wrong)) {
    if (isMatch(right, other)) return { part, message };
  }
  for (const [part, text, message] of otherStrings(wrong)) {
    if (isMatch(text)) return { part, message };
  }
  for (const [part, change, message] of otherParts(wrong)) {
    const changed = stringToSign(time, scope, canonicalRequest({ ...parts, ...change }));
    if (changed !== right && isMatch(changed)) return { part, message };
  }
  return {
    part: 'Signature',
    message:
      'It is of another canonical request, or with another secret. Compare canonicalRequest and stringToSign with yours.',
  };
}

function otherKeys({ signature, secret }: WrongSignature): readonly Try<Buffer>[] {
  const { scope, accessKeyId, time } = signature;
  const keyOf = (text: string, changed = {}) => deriveKey(text, { ...scope, ...changed });
  return [
    ['secret', keyOf(secret), 'The key was derived without AWS4 before the secret.'],
    ['secret', keyOf(`AWS4${secret}\n`), 'The secret was used with a line break at its end.'],
    ['secret', keyOf(`AWS4${accessKeyId}`), 'The key id was used as the secret.'],
    ['secret', Buffer.from(secret), 'The secret itself was the key. Derive one from it.'],
    ['Credential', keyOf(`AWS4${secret}`, { day: time }), 'The key was derived from the time.'],
  ];
}

function otherStrings({ signature, parts, sent }: WrongSignature): readonly Try<string>[] {
  const { time, scope } = signature;
  const canonical = canonicalRequest(parts);
  const right = stringToSign(time, scope, canonical);
  const [algorithm = '', , , digest = ''] = right.split('\n');
  const [date = ''] = sent.headers.get('date') ?? [];
  const part = 'string to sign';
  return [
    [part, `${right}\n`, 'It was signed with a line break at its end.'],
    [part, right.replaceAll('\n', '\r\n'), 'Its lines were separated by CRLF instead of LF.'],
    [part, [algorithm, time, scopeText(scope), canonical].join('\n'), 'It must end with the hash.'],
    [
      part,
      [algorithm, date, scopeText(scope), digest].join('\n'),
      'It has Date exactly as sent; it must be in the form of X-Amz-Date.',
    ],
    [part, canonical, 'The canonical request itself was signed.'],
    [
      part,
      stringToSign(time, scope, `${canonical}\n`),
      'A line break ended the canonical request.',
    ],
    [
      part,
      stringToSign(time, scope, canonical.replace(/\n\n(?=[^\n]*\n[^\n]*$)/, '\n')),
      'The empty line after the headers is missing from the canonical request.',
    ],
  ];
}

type Change = Try<Partial<CanonicalParts>>;

function otherParts(wrong: WrongSignature): readonly Change[] {
  return [...otherHeaders(wrong), ...otherPaths(wrong), ...otherQueries(wrong), ...others(wrong)];
}

function otherHeaders({ parts, sent }: WrongSignature): Change[] {
  const { headers } = parts;
  const changed = (name: string, change: (value: string) => string) => ({
    headers: headers.map(([each, value]): Field => [each, each === name ? change(value) : value]),
  });
  const raw = headers.map(
    ([name, value]): Field => [name, sent.headers.get(name)?.join(',') ?? value],
  );
  const host = (change: (value: string) => string, message: string): Change => [
    'host',
    changed('host', change),
    message,
  ];
  const type = (change: (value: string) => string, message: string): Change => [
    'content-type',
    changed('content-type', change),
    message,
  ];
  return [
    host((value) => value.replace(/:\d+$/, ''), 'It was signed without its port.'),
    host((value) => `${value}:80`, 'It was signed with port 80, which was not sent.'),
    host((value) => `${value}:443`, 'It was signed with port 443, which was not sent.'),
    host((value) => value.toLowerCase(), 'It was signed in lower case, but sent otherwise.'),
    host(() => '', 'It was signed as empty.'),
    type((value) => value.replace(/;.*$/, ''), 'It was signed without its parameters.'),
    type((value) => `${value};charset=UTF-8`, 'It was signed with a charset that did not arrive.'),
    type((value) => `${value}; charset=utf-8`, 'It was signed with a charset that did not arrive.'),
    type(() => '', 'It was signed as empty: the client set it after signing.'),
    ['content-length', changed('content-length', () => '0'), 'It was signed as 0.'],
    ['content-length', changed('content-length', () => ''), 'It was signed as empty.'],
    ['headers', { headers: raw }, 'Runs of spaces in values must become one.'],
    [
      'headers',
      { headers: headers.map(([name, value]): Field => [name, ` ${value}`]) },
      'Values were signed with the space after the colon.',
    ],
    [
      'headers',
      { headers: headers.map(([name, value]): Field => [name, value.toLowerCase()]) },
      'Values were signed in lower case.',
    ],
  ];
}

function otherPaths({ parts, sent, signature }: WrongSignature): Change[] {
  const { path } = sent;
  const inside = path.replace(/^\/s\/[^/]+/, '');
  const canonical = isS3(signature) ? encodedOnce : encodedTwice;
  const ways: (readonly [string, string])[] = [
    isS3(signature)
      ? [encodedTwice(path), 'S3 encodes it once and does not normalize it.']
      : [encodedOnce(path), 'It was encoded once. All services except S3 encode it twice.'],
    [path, 'It was signed as sent, without encoding it.'],
    [path.split('/').map(encode).join('/'), 'It was signed without normalizing it.'],
    [decode(path), 'It was signed decoded.'],
    [canonical(inside), 'It was signed without the sandbox prefix.'],
    [canonical(path.replace(/\/$/, '')), 'It was signed without the slash at its end.'],
    [canonical(`${path}/`), 'It was signed with a slash at its end.'],
    ['/', 'It was signed as /.'],
    ['', 'It was signed as empty.'],
    [
      parts.path.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
      'Hex digits of escapes must be capitals.',
    ],
  ];
  return ways.map(([other, message]) => ['path', { path: other }, message]);
}

function otherQueries({ parts, sent }: WrongSignature): Change[] {
  const { query } = parts;
  const pairs = sent.pairs.filter(([name]) => name !== 'X-Amz-Signature');
  const raw = sent.query.replace(/(?:^|&)X-Amz-Signature=[^&]*/, '').replace(/^&/, '');
  const sorted = (text: string) => text.split('&').sort().join('&');
  const unsorted = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  const ways: (readonly [string, string])[] = [
    [unsorted, 'It was not sorted.'],
    [query.replaceAll('%20', '+'), 'Its spaces were signed as +. Sign them as %20.'],
    [
      sorted(sent.query.includes('+') ? raw.replaceAll('+', '%2B') : query),
      'A + was signed as %2B. In a query it is a space: send %2B.',
    ],
    [raw, 'It was signed as sent. Encode and sort its parameters.'],
    [sorted(raw), 'It was signed as sent. Encode its parameters.'],
    [decode(raw), 'It was signed decoded.'],
    [query.replace(/=(?=&|$)/g, ''), 'A parameter without a value needs a = too.'],
    [
      query.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
      'Hex digits of escapes must be capitals.',
    ],
    [query.replaceAll('%2F', '/'), 'Slashes must be encoded as %2F.'],
    [
      query.replace(/(?:^|&)X-Amz-Security-Token=[^&]*/, ''),
      'X-Amz-Security-Token must be signed.',
    ],
    [query.replace(/(?:^|&)X-Amz-Expires=[^&]*/, ''), 'X-Amz-Expires must be signed.'],
    [`?${query}`, 'It was signed with its question mark.'],
    ['', 'It was signed as empty.'],
  ];
  return ways.map(([other, message]) => ['query', { query: other }, message]);
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function others({ parts }: WrongSignature): Change[] {
  const { method } = parts;
  const payload = (payloadHash: string, message: string): Change => [
    'payload',
    { payloadHash },
    message,
  ];
  return [
    ...methods.map(
      (other): Change => [
        'method',
        { method: other },
        `${other} was signed, but ${method} arrived.`,
      ],
    ),
    ['method', { method: method.toLowerCase() }, 'It was signed in lower case.'],
    payload(hash('sha256', '', 'hex'), 'The body was signed as empty.'),
    payload(
      unsignedPayload,
      `It was signed as ${unsignedPayload}, so X-Amz-Content-Sha256 must have that value.`,
    ),
    payload('', 'Its hash was left out.'),
    payload(parts.payloadHash.toUpperCase(), 'Its hash was signed in capitals.'),
  ];
}
