/** The cases of the test plan for receivers: deliveries that are wrong or difficult. */

import { gzipSync } from 'node:zlib';
import { type DeliveryScheme, schemes } from '#kit/deliveries/schemes.js';
import { type CaseText, casesOf } from '#kit/misbehaviour/misbehaviour.js';
import { advice, cite } from '#kit/verdict/citations.js';
import type { RuleLevel } from '#kit/verdict/verdict.js';
import type { RequestChange } from '../model/sign-request.js';
import {
  type JudgeCase,
  mustAccept,
  mustBeFast,
  mustKeepOrder,
  mustNotFail,
  mustNotRedirect,
  mustReject,
  mustWorkOnce,
} from './judge-case.js';

/** A delivery of a case. */
export interface Part extends RequestChange {
  /** Further members of the object. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Type of the event, instead of the type of the run. */
  readonly type?: string;
  /** Whether it repeats the event of the part before it. */
  readonly isSameEvent?: true;
  /** Whether it is signed again, as a retry is. */
  readonly isRetry?: true;
  /** Whether it is sent together with the part before it. */
  readonly isParallel?: true;
  /** Whether the sender closes the connection before the response. */
  readonly isCut?: true;
}

export interface ReceiverCase extends CaseText {
  readonly level: RuleLevel;
  readonly parts: readonly [Part, ...Part[]];
  readonly judge: JudgeCase;
  /** Returns whether deliveries of the scheme can have it. Default: all. */
  readonly applies?: (scheme: DeliveryScheme) => boolean;
  /** Why the case is absent otherwise. */
  readonly absentBecause?: string;
}

const oldSeconds = 3600;
const largeCharacters = 300_000;
/** Work that a receiver should not do before it responds. */
export const workMs = 3000;

const otherSecret = `whsec_${Buffer.from('the-secret-of-another-receiver!!').toString('base64')}`;

const pretty = (body: Buffer): Buffer =>
  Buffer.from(`${JSON.stringify(JSON.parse(String(body)), null, 2).replaceAll('é', '\\u00e9')}\n`);

function withoutSignature(
  headers: Readonly<Record<string, string>>,
  scheme: DeliveryScheme,
): Readonly<Record<string, string>> {
  const { [schemes[scheme].signatureHeader]: _signature, ...rest } = headers;
  return rest;
}

const signsTime = (scheme: DeliveryScheme) => schemes[scheme].signsTimestamp;
const hasMany = (scheme: DeliveryScheme) => schemes[scheme].hasManySignatures;

const verifying = cite('Standard Webhooks', 'Verifying signatures');
const success = cite('Standard Webhooks', 'Delivery success and failure');
const metadata = cite('Standard Webhooks', 'Webhook metadata');

const rejects = 'It responds with 400 or 401, and does nothing.';
const once = 'It responds with 2xx to both, and does the work once, by the id of the event.';

export const receiverCases = casesOf<ReceiverCase>()({
  valid: {
    what: 'A right delivery.',
    rightClient: 'It responds with 2xx.',
    section: success,
    level: 'must',
    parts: [{}],
    judge: mustAccept,
  },
  'raw-bytes': {
    what: 'A right delivery whose JSON has line breaks and escapes.',
    rightClient: 'It verifies the bytes that it received, and responds with 2xx.',
    section: cite('Standard Webhooks', 'Signature scheme'),
    level: 'must',
    parts: [{ body: pretty }],
    judge: mustAccept,
  },
  'wrong-signature': {
    what: 'The signature is well-formed and wrong.',
    rightClient: rejects,
    section: verifying,
    level: 'must',
    parts: [{ tampering: 'signature' }],
    judge: mustReject,
  },
  'other-bytes': {
    what: 'The signature is of the same JSON without its white space.',
    rightClient: 'It verifies the bytes that it received, and rejects the delivery.',
    section: cite('Standard Webhooks', 'Signature scheme'),
    level: 'must',
    parts: [{ body: pretty, signs: (body) => body }],
    judge: mustReject,
  },
  'other-secret': {
    what: 'The delivery is signed with another secret.',
    rightClient: rejects,
    section: verifying,
    level: 'must',
    parts: [{ secrets: () => [otherSecret] }],
    judge: mustReject,
  },
  'missing-signature': {
    what: 'The delivery has no signature.',
    rightClient: rejects,
    section: verifying,
    level: 'must',
    parts: [{ headers: withoutSignature }],
    judge: mustReject,
  },
  'old-timestamp': {
    what: 'The delivery was signed an hour ago.',
    rightClient: 'It rejects a time more than five minutes ago, because it may be a replay.',
    section: verifying,
    level: 'must',
    parts: [{ ageSeconds: oldSeconds }],
    judge: mustReject,
    applies: signsTime,
    absentBecause: 'The scheme signs no time.',
  },
  'rotated-secret': {
    what: 'Two signatures: of another secret, and of the right one.',
    rightClient: 'It tries each signature, and responds with 2xx.',
    section: cite('Standard Webhooks', 'Webhook headers (sending metadata to consumers)'),
    level: 'must',
    parts: [{ secrets: (secrets) => [otherSecret, ...secrets] }],
    judge: mustAccept,
    applies: hasMany,
    absentBecause: 'The scheme has one signature.',
  },
  'unknown-type': {
    what: 'An event of a type that the receiver does not know.',
    rightClient: 'It ignores the event and responds with 2xx, because the sender repeats others.',
    section: success,
    level: 'should',
    parts: [{ type: 'practice.unknown_type' }],
    judge: mustAccept,
  },
  'unknown-member': {
    what: 'The object has a member that was added later.',
    rightClient: 'It ignores the member, and responds with 2xx.',
    section: cite('Standard Webhooks', 'Payload structure'),
    level: 'should',
    parts: [{ data: { addedLater: { by: 'a new version' } } }],
    judge: mustAccept,
  },
  'large-body': {
    what: 'A body of 300 kB.',
    rightClient: 'It accepts bodies of at least 1 MB.',
    section: advice,
    level: 'advice',
    parts: [{ data: { filler: 'x'.repeat(largeCharacters) } }],
    judge: mustAccept,
  },
  gzip: {
    what: 'The body is compressed with gzip; the signature is of the compressed bytes.',
    rightClient: 'It verifies the bytes as sent, or responds with 415.',
    section: cite('RFC 9110', '8.4'),
    level: 'should',
    parts: [
      {
        body: (body) => gzipSync(body),
        headers: (headers) => ({ ...headers, 'Content-Encoding': 'gzip' }),
      },
    ],
    judge: mustNotFail([415]),
  },
  'not-utf8': {
    what: 'A right signature of a body that is not UTF-8.',
    rightClient:
      'It responds with 400 or 401, or accepts the delivery and reports it; it does not fail.',
    section: advice,
    level: 'advice',
    parts: [{ body: (body) => Buffer.from(String(body), 'latin1') }],
    // Most libraries verify text, and do not recognise the signature.
    judge: mustNotFail([400, 401, 415, 422]),
  },
  duplicate: {
    what: 'The same request twice.',
    rightClient: once,
    section: metadata,
    level: 'must',
    parts: [{}, { isSameEvent: true }],
    judge: mustWorkOnce,
  },
  'duplicate-at-once': {
    what: 'The same event twice, at the same time.',
    rightClient: once,
    section: metadata,
    level: 'must',
    parts: [{}, { isSameEvent: true, isParallel: true }],
    judge: mustWorkOnce,
  },
  'again-after-failure': {
    what: 'The event is sent again, as after a 502 of a proxy.',
    rightClient: once,
    section: metadata,
    level: 'must',
    parts: [{}, { isSameEvent: true, isRetry: true }],
    judge: mustWorkOnce,
  },
  'again-after-timeout': {
    what: 'The sender closes the connection before the response, and sends the event again.',
    rightClient: 'It does the work once, and responds with 2xx to the second request.',
    section: metadata,
    level: 'must',
    parts: [{ isCut: true }, { isSameEvent: true, isRetry: true }],
    judge: mustWorkOnce,
  },
  'out-of-order': {
    what: 'Version 2 of an object, and then version 1.',
    rightClient: 'It keeps version 2, or reads the object again.',
    section: advice,
    level: 'advice',
    parts: [{ data: { version: 2 } }, { data: { version: 1 } }],
    judge: mustKeepOrder,
  },
  redirect: {
    what: 'A right delivery to the URL as it was configured.',
    rightClient: 'It responds without a redirect, because senders follow none.',
    section: success,
    level: 'must',
    parts: [{}],
    judge: mustNotRedirect,
  },
  'slow-work': {
    what: `The object has workMs: ${workMs / 1000} s of work.`,
    rightClient: 'It stores the event, responds, and works later.',
    section: cite('Standard Webhooks', 'Request timeouts'),
    level: 'should',
    parts: [{ data: { workMs } }],
    judge: mustBeFast(workMs),
  },
});

export type CaseName = keyof typeof receiverCases;

export const caseNames = Object.keys(receiverCases) as readonly CaseName[];

export function caseOf(name: string): ReceiverCase | undefined {
  return Object.hasOwn(receiverCases, name) ? receiverCases[name as CaseName] : undefined;
}

export function appliesTo(name: CaseName, scheme: DeliveryScheme): boolean {
  return (receiverCases[name] as ReceiverCase).applies?.(scheme) ?? true;
}
