/** Challenges about webhooks. */

import { header, jsonReceived, jsonSent, query, sent, status, when } from '../checks.js';
import { inTrack, step, texts } from '../track.js';

const webhooks = inTrack('webhooks');
const bins = '/api/webhooks/bins';
const verify = '/api/webhooks/verify/:provider';

const createBin = step('Create a bin.', `POST ${bins}`, [status(201)], {
  keep: (exchange, memo) => ({ ...memo, bin: String(jsonReceived(exchange).id) }),
});

const ownBin = when(
  ({ path }, { bin = '?' }) => path.includes(bin),
  'This is another bin than yours.',
);

const verified = (isVerified: boolean, otherwise: string) =>
  when((exchange) => jsonReceived(exchange).verified === isVerified, otherwise);

export const webhooksTrack = [
  webhooks(
    'webhooks-deliver',
    1,
    texts(
      'A first delivery',
      'Create a bin, and deliver a JSON event to it.',
      'POST /api/webhooks/bins creates one. | The response has its url. | POST a JSON body to the url.',
      'A bin is a receiver whose requests you can read.',
      'RFC 9110 section 9.3.3',
    ),
    [
      createBin,
      step('POST a JSON event to its url.', '* /api/webhooks/*', [
        ownBin,
        when(({ method }) => method === 'POST', 'Deliveries are POST requests.'),
        header('content-type', /json/i, 'The delivery does not say that it is JSON.'),
        when(({ status: code }) => code < 300, 'The delivery was rejected.'),
      ]),
    ],
  ),
  webhooks(
    'webhooks-inspect',
    1,
    texts(
      'What has arrived?',
      'Deliver an event to a bin, and list its captures.',
      'Create a bin, and POST to its url. | The captures are at /requests of the bin. | GET /api/webhooks/bins/{id}/requests',
      'A receiver should keep what it got, before it works on it.',
      'RFC 9110 section 9.3.1',
    ),
    [
      createBin,
      step('Deliver an event.', 'POST|PUT /api/webhooks/*', [ownBin]),
      step('List its captures.', `GET ${bins}/:id/requests|${bins}/:id`, [
        when(
          ({ route }) => route.endsWith('/requests'),
          'You described the bin. List its requests.',
        ),
        ownBin,
        status(200),
      ]),
    ],
  ),
  webhooks(
    'webhooks-wait',
    2,
    texts(
      'Wait, do not sleep',
      'Read a delivery of a bin with a long poll.',
      'List the captures with ?wait=. | wait is in seconds, after is an id. | GET /api/webhooks/bins/{id}/requests?wait=10&after=0',
      'A long poll ends with the delivery. A sleep is too short or too long.',
      'RFC 6202 section 2',
    ),
    [
      createBin,
      step('Deliver an event.', 'POST|PUT /api/webhooks/*', [ownBin]),
      step('List its captures with ?wait=', `GET ${bins}/:id/requests`, [
        ownBin,
        query('wait', /^\d/, 'You listed the captures without ?wait=.'),
        status(200),
      ]),
    ],
  ),
  webhooks(
    'webhooks-respond',
    2,
    texts(
      'Accepted for later',
      'Let a bin respond with 202, and deliver to it.',
      'PATCH the bin. | The member is response. | {"response": {"status": 202}}',
      'A receiver responds at once, and does the work afterwards.',
      'RFC 9110 section 15.3.3',
    ),
    [
      createBin,
      step('PATCH the bin with the status 202.', `PATCH ${bins}/:id`, [
        ownBin,
        when(
          (exchange) =>
            (jsonSent(exchange).response as { status?: unknown } | null | undefined)?.status ===
            202,
          'response.status is not 202.',
        ),
        status(200),
      ]),
      step('Deliver an event, and get 202.', 'POST|PUT /api/webhooks/*', [ownBin, status(202)]),
    ],
  ),
  webhooks(
    'webhooks-verify',
    2,
    texts(
      'A valid signature',
      'Get the signed sample of github, and have it verified.',
      'GET /api/webhooks/samples/github | Send the same bytes with its signature header. | POST /api/webhooks/verify/github',
      'The signature covers the bytes: a parsed and rewritten body has another signature.',
      'RFC 2104 section 2',
    ),
    [
      step('Get a signed sample.', 'GET /api/webhooks/samples/:provider', [
        when(
          (exchange) => !exchange.query.has('tamper'),
          'This sample was tampered with. Leave tamper out.',
        ),
        status(200),
      ]),
      step('Send it to /api/webhooks/verify with its signature.', `POST ${verify}`, [
        when((exchange) => hasSignature(exchange.headers), 'The request has no signature header.'),
        verified(true, 'The signature is wrong: send the bytes as you got them.'),
      ]),
    ],
  ),
  webhooks(
    'webhooks-tampered',
    2,
    texts(
      'Tampered with',
      'Get a sample whose body was changed, and have it rejected by the verifier.',
      'Samples can be tampered with on request. | ?tamper=body | Send it to /api/webhooks/verify/{provider}.',
      'A receiver must reject what does not verify, before it parses it.',
      'RFC 2104 section 6',
    ),
    [
      step('Get a sample with ?tamper=body.', 'GET /api/webhooks/samples/:provider', [
        query('tamper', /^body$/, 'This sample is valid. Add ?tamper=body.'),
      ]),
      step('Have it rejected.', `POST ${verify}`, [
        when((exchange) => hasSignature(exchange.headers), 'The request has no signature header.'),
        verified(false, 'This delivery verifies.'),
      ]),
    ],
  ),
  webhooks(
    'webhooks-sign',
    3,
    texts(
      'Sign it yourself',
      'Sign your own body for stripe, and have it verified.',
      'The signature is over time, dot and body. | POST /api/webhooks/samples/stripe signs a body. | Stripe-Signature: t={seconds},v1={hex}',
      'The signed time limits how long a delivery can be replayed.',
      'RFC 2104 section 2',
    ),
    [
      step('Send a signed body to /api/webhooks/verify/stripe.', `POST ${verify}`, [
        when(({ path }) => path.endsWith('/stripe'), 'This is another provider than stripe.'),
        header('stripe-signature', /./, 'You sent no Stripe-Signature.'),
        header('stripe-signature', /^t=\d+/, 'Stripe-Signature must begin with t= and the time.'),
        verified(true, 'The signature is wrong: sign the time, a dot and the bytes.'),
      ]),
    ],
  ),
  webhooks(
    'webhooks-retry',
    3,
    texts(
      'Deliver again',
      'Deliver an event to a bin that fails with 503, and again with the same id until it is accepted.',
      'A bin can respond with ?status=503. | Send an id as a header: Webhook-Id. | Repeat with the same Webhook-Id, without ?status=.',
      'Receivers remember ids, so a sender can repeat a delivery safely.',
      'Standard Webhooks 1.0, section Webhook headers',
    ),
    [
      createBin,
      step(
        'Deliver with Webhook-Id, and get 503.',
        'POST /api/webhooks/*',
        [
          ownBin,
          header('webhook-id', /./, 'The delivery has no Webhook-Id.'),
          status(503, 'The delivery was accepted at once. Add ?status=503.'),
        ],
        { keep: (exchange, memo) => ({ ...memo, id: sent(exchange, 'webhook-id') }) },
      ),
      step('Deliver it again with the same Webhook-Id.', 'POST /api/webhooks/*', [
        ownBin,
        when(
          (exchange, { id }) => sent(exchange, 'webhook-id') === id,
          'The second delivery has another Webhook-Id.',
        ),
        when(({ status: code }) => code < 300, 'It was not accepted.'),
      ]),
    ],
  ),
];

function hasSignature(headers: Readonly<Record<string, unknown>>): boolean {
  return ['x-hub-signature-256', 'stripe-signature', 'x-shopify-hmac-sha256'].some(
    (name) => headers[name] !== undefined,
  );
}
