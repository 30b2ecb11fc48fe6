/** Challenges about webhooks. */

import { isJsonType } from '#http/body/request-body.js';
import { hashOf } from '#http/caching/content.js';
import type { Exchange } from '#kit/recording/exchange-record.js';
import { cite } from '#kit/verdict/citations.js';
import type { Memo } from '../challenge.js';
import {
  header,
  isThere,
  jsonReceived,
  keep,
  markOf,
  method,
  part,
  query,
  record,
  sent,
  status,
  success,
  textOf,
  when,
} from '../checks.js';
import { inTrack, step, texts } from '../track.js';
import { webhooksCases } from './cases/webhooks.js';

const webhooks = inTrack('webhooks', webhooksCases);
const bins = '/api/webhooks/bins';
const inBin = '/api/webhooks/:binId|/api/webhooks/:binId/*';
const samples = '/api/webhooks/samples/:provider';

const createBin = step(`POST ${bins}`, [success('No bin was created.')], {
  keep: keep({ id: (exchange) => textOf(jsonReceived(exchange).id) }),
});

const anotherBin = 'This is another bin than yours.';
const toOwnBin = record('$id', anotherBin, 'binId');
const ownBin = record('$id', anotherBin);
const accepted = success('The delivery was not accepted.');

const deliver = step(`POST|PUT ${inBin}`, [toOwnBin, accepted]);

const provider = (exchange: Exchange) => part(exchange, 'provider').toLowerCase();

/** Returns the body of a sample, which may be inside a description of it. */
function sampleIn(exchange: Exchange): string {
  if (exchange.query.get('format') !== 'envelope') return exchange.responseBody;
  return textOf(jsonReceived(exchange).body);
}

const keepSample = keep({
  provider,
  sample: (exchange) => hashOf(sampleIn(exchange)),
});

const isSample = [
  when(
    (exchange, memo) => provider(exchange) === memo.provider,
    'The sample is from another provider.',
  ),
  when(
    ({ bodyHash }, { sample }) => bodyHash === sample,
    'The body is not the body of the sample, byte by byte.',
  ),
];

const isVerified = (wanted: boolean, otherwise: string) =>
  when((exchange) => jsonReceived(exchange).verified === wanted, otherwise);

/** Returns the signed time in Stripe-Signature; `NaN` without one. */
function timeIn(exchange: Exchange): number {
  const parts = sent(exchange, 'stripe-signature').split(',', 10);
  const [time] = parts.filter((each) => each.trim().startsWith('t='));
  return Number(time?.trim().slice(2) ?? Number.NaN);
}

/** Keeps from when to when, in seconds, the service signed a body, by the hash of the body. */
const noteSigned = {
  on: `GET|POST ${samples}`,
  keep(exchange: Exchange, memo: Memo): Memo {
    const { query: given, method: sentBy, bodyHash, atMs, endMs } = exchange;
    const hash = sentBy === 'POST' ? bodyHash : hashOf(sampleIn(exchange));
    const from = given.get('timestamp') ?? Math.floor(atMs / 1000);
    const to = given.get('timestamp') ?? Math.ceil(endMs / 1000);
    return { ...memo, [`signed ${hash}`]: `${from} ${to}` };
  },
};

/** Returns whether the service has signed this body for this time. */
function isSignedByService(exchange: Exchange, memo: Memo): boolean {
  const [from, to] = (memo[`signed ${exchange.bodyHash}`] ?? '').split(' ');
  if (to === undefined) return false;
  return timeIn(exchange) >= Number(from) && timeIn(exchange) <= Number(to);
}

const delivering = [
  webhooks(
    'webhooks-deliver',
    1,
    texts(
      'A first delivery',
      'Create a bin, and deliver an event to it: a POST with JSON as its body and media type.',
      'What is a webhook, seen by the sender? | RFC 9110 section 9.3.3: a POST to the URL of the receiver. POST /api/webhooks/bins creates a receiver. | POST {"event": "paid"} as application/json to the url of the bin',
      'A bin is a receiver whose requests you can read.',
      cite('RFC 9110', '9.3.3'),
    ),
    [
      createBin,
      step(`* ${inBin}`, [
        toOwnBin,
        method('POST', 'This delivery is no POST.'),
        header('content-type', isJsonType, 'The delivery does not say that it is JSON.'),
        when(({ parsed }) => parsed.json !== undefined, 'The body of the delivery is not JSON.'),
        accepted,
      ]),
    ],
  ),
  webhooks(
    'webhooks-inspect',
    1,
    texts(
      'What has arrived?',
      'Create a bin, deliver an event to it, and list its captures.',
      'How does a test see what its own code has sent? | RFC 9110 section 9.3.1: GET reads. The captures of a bin are at /requests below it. | GET /api/webhooks/bins/{id}/requests',
      'A receiver should keep what it got, before it works on it.',
      cite('RFC 9110', '9.3.1'),
    ),
    [
      createBin,
      deliver,
      step(`GET|HEAD ${bins}/:id/requests|${bins}/:id`, [
        ownBin,
        when(
          ({ route }) => route.endsWith('/requests'),
          'You read the description of the bin, and not its captures.',
        ),
        status(200),
      ]),
    ],
  ),
  webhooks(
    'webhooks-wait',
    2,
    texts(
      'Wait, do not sleep',
      'Create a bin, deliver an event to it, and list its captures with a long poll of a second or more.',
      'How long should a test sleep until a delivery arrives? | RFC 6202 section 2: not at all; a long poll gets its response when something has arrived. wait has the seconds, and after an id. | GET /api/webhooks/bins/{id}/requests?wait=10&after=0',
      'A long poll ends with the delivery. A sleep is too short or too long.',
      cite('RFC 6202', '2'),
    ),
    [
      createBin,
      deliver,
      step(`GET ${bins}/:id/requests`, [
        ownBin,
        query(
          'wait',
          (value) => Number(value) >= 1,
          'You listed the captures without a long poll.',
        ),
        status(200),
      ]),
    ],
  ),
  webhooks(
    'webhooks-respond',
    2,
    texts(
      'Accepted for later',
      'Let a bin of yours respond with 202 by itself, and deliver an event to it.',
      'What should a receiver say before it has done the work? | RFC 9110 section 15.3.3: 202, accepted. The member response of a bin has its response. | PATCH /api/webhooks/bins/{id} with {"response": {"status": 202}}, then POST to its url',
      'A receiver responds at once, and does the work afterwards.',
      cite('RFC 9110', '15.3.3'),
    ),
    [
      createBin,
      step(`POST|PUT ${inBin}`, [
        toOwnBin,
        query('status', (value) => value === '', 'The request itself has chosen the status.'),
        status(202, 'The bin does not respond with 202.'),
      ]),
    ],
  ),
  webhooks(
    'webhooks-retry',
    3,
    texts(
      'Deliver again',
      'Deliver an event to a bin of yours that responds with 503, and again with the same Webhook-Id and body until it is accepted.',
      'How does a receiver know that it has seen an event before? | Standard Webhooks 1.0, section Webhook headers: Webhook-Id is the same for each attempt. A bin fails with ?status=503. | POST with Webhook-Id to the url with ?status=503, then the same to the url',
      'Receivers remember ids, so a sender can repeat a delivery safely.',
      cite('Standard Webhooks 1.0', 'Webhook headers (sending metadata to consumers)'),
    ),
    [
      createBin,
      step(
        `POST ${inBin}`,
        [
          toOwnBin,
          header('webhook-id', isThere, 'The delivery has no Webhook-Id.'),
          status(503, 'The delivery did not fail with 503.'),
        ],
        {
          keep: keep({
            webhook: (exchange) => markOf(sent(exchange, 'webhook-id')),
            body: ({ bodyHash }) => bodyHash,
          }),
        },
      ),
      step(`POST ${inBin}`, [
        toOwnBin,
        when(
          (exchange, { webhook }) => markOf(sent(exchange, 'webhook-id')) === webhook,
          'This delivery has another Webhook-Id, or none.',
        ),
        when(({ bodyHash }, { body }) => bodyHash === body, 'This delivery has another body.'),
        accepted,
      ]),
    ],
  ),
];

const verifying = [
  webhooks(
    'webhooks-verify',
    2,
    texts(
      'A valid signature',
      'Get the signed sample of github, and have the same bytes verified at /api/webhooks/verify/github.',
      'What exactly does a signature cover? | RFC 2104 section 2: the bytes of the text; a body that was parsed and written again has other bytes. | GET /api/webhooks/samples/github, then POST its bytes with its X-Hub-Signature-256 to /api/webhooks/verify/github',
      'The signature covers the bytes: a parsed and rewritten body has another signature.',
      cite('RFC 2104', '2'),
    ),
    [
      step(
        `GET ${samples}`,
        [
          when((exchange) => provider(exchange) === 'github', 'This is another provider.'),
          when(({ query: given }) => !given.has('tamper'), 'This sample was tampered with.'),
          status(200),
        ],
        { keep: keepSample },
      ),
      step('POST /api/webhooks/verify/:provider', [
        ...isSample,
        isVerified(true, 'The signature is absent, or belongs to other bytes.'),
      ]),
    ],
  ),
  webhooks(
    'webhooks-tampered',
    2,
    texts(
      'Tampered with',
      'Get a sample whose body was changed, and have it rejected, because of its body, by the verifier of its provider.',
      'How does a receiver notice that a body was changed on its way? | Standard Webhooks 1.0, Verifying signatures: the signature no longer fits. A sample with ?tamper=body was changed. | GET /api/webhooks/samples/github?tamper=body, then POST its bytes with its signature to /api/webhooks/verify/github',
      'A receiver must reject what does not verify, before it parses it.',
      cite('Standard Webhooks 1.0', 'Verifying signatures'),
    ),
    [
      step(
        `GET ${samples}`,
        [query('tamper', (value) => value === 'body', 'The body of this sample was not changed.')],
        { keep: keepSample },
      ),
      step('POST /api/webhooks/verify/:provider', [
        ...isSample,
        isVerified(false, 'This delivery verifies.'),
        when(
          (exchange) => jsonReceived(exchange).part === 'body',
          'The delivery was rejected for another reason than its body.',
        ),
      ]),
    ],
  ),
  webhooks(
    'webhooks-sign',
    3,
    texts(
      'Sign it yourself',
      'Sign a body for stripe with your own code, not by the service, and have it verified at /api/webhooks/verify/stripe.',
      'What does the sender of a webhook do before it sends? | RFC 2104 section 2: an HMAC with the secret, here over the Unix time, a dot and the body. GET /api/webhooks/samples has the secret. | POST with Stripe-Signature: t={seconds},v1={HMAC-SHA256 in hex}',
      'The signed time limits how long a delivery can be replayed.',
      cite('RFC 2104', '2'),
    ),
    [
      step('POST /api/webhooks/verify/:provider', [
        when((exchange) => provider(exchange) === 'stripe', 'This is another provider.'),
        header('stripe-signature', isThere, 'You sent no Stripe-Signature.'),
        when(
          (exchange, memo) => !isSignedByService(exchange, memo),
          'The service has made this signature, and not your code.',
        ),
        isVerified(true, 'The signature does not fit the time, the dot and the bytes.'),
      ]),
    ],
    { notes: [noteSigned] },
  ),
];

export const webhooksTrack = [...delivering, ...verifying];
