/** Common mistakes of senders. */

import {
  decodedSecret,
  type Headers,
  type Scheme,
  type SignedParts,
} from '#kit/deliveries/schemes.js';
import { otherBodies } from './other-bodies.js';

/** A mistake, with the wrong keys, prefix or body that it uses. */
export interface Mistake {
  readonly part: 'secret' | 'timestamp' | 'body';
  readonly message: string;
  readonly key?: Buffer;
  readonly prefix?: string;
  readonly body?: Buffer;
}

interface Signed {
  readonly secrets: readonly string[];
  readonly body: Buffer;
  readonly headers: Headers;
  readonly knownBodies: readonly Buffer[];
}

/** Other times are tried only for bodies up to this size. */
const maxTimeSearchBytes = 6 * 1024;
const timeSearchSeconds = 300;

/** Yields possible mistakes of the sender, the fastest to try first. */
export function* mistakesOf(
  scheme: Scheme,
  parts: SignedParts,
  { secrets, body, headers, knownBodies }: Signed,
): Generator<Mistake> {
  for (const secret of secrets) yield* otherKeys(scheme, secret);
  if (scheme.signsTimestamp) yield* otherPrefixes(scheme, parts);
  for (const known of knownBodies) {
    const message =
      'The signature matches the original sample: the body was changed after signing.';
    yield { part: 'body', body: known, message };
  }
  for (const other of otherBodies(body, headers)) yield { part: 'body', ...other };
  if (scheme.signsTimestamp && body.length <= maxTimeSearchBytes) yield* otherTimes(scheme, parts);
}

function* otherKeys({ title, key }: Scheme, secret: string): Generator<Mistake> {
  const whole = `${title} uses its complete text`;
  const bytes = `${title} uses the bytes that`;
  const withoutPrefix = secret.replace(/^whsec_/, '');
  const keys =
    key === decodedSecret
      ? [
          [secret, `the text of the secret; ${bytes} the base64 after whsec_ stands for`],
          [withoutPrefix, `the text after whsec_; ${bytes} this base64 stands for`],
        ]
      : [
          [decodedSecret(secret), `the secret decoded from base64; ${whole}, including whsec_`],
          [withoutPrefix, `the secret without whsec_; ${whole}`],
        ];
  for (const [other = '', what] of keys) {
    yield { part: 'secret', key: Buffer.from(other), message: `The key was ${what}.` };
  }
}

function* otherPrefixes({ title }: Scheme, { timestamp, id }: SignedParts): Generator<Mistake> {
  const signed = id === '' ? 't + "." + body' : 'webhook-id + "." + webhook-timestamp + "." + body';
  const wrong = (prefix: string, what: string): Mistake => ({
    part: 'timestamp',
    prefix,
    message: `${what}; ${title} signs ${signed}.`,
  });
  yield wrong('', 'Only the body was signed');
  yield wrong(id + timestamp, 'The dots are missing');
  if (id !== '') yield wrong(`${timestamp}.`, 'The webhook-id is missing');
}

function* otherTimes({ prefix }: Scheme, parts: SignedParts): Generator<Mistake> {
  const sent = Number(parts.timestamp);
  for (let shift = 1; shift <= timeSearchSeconds; shift++) {
    for (const timestamp of [String(sent - shift), String(sent + shift)]) {
      yield {
        part: 'timestamp',
        prefix: prefix({ ...parts, timestamp }),
        message: `The signature was made for the time ${timestamp}, but the delivery says ${parts.timestamp}: the time was changed after signing.`,
      };
    }
  }
}
