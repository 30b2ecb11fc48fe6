/** Lawful ways and near misses of the track webhooks. */

import type { Cases } from '../../challenge.js';

const bin = 'POST /api/webhooks/bins';
const paid = '{"event":"paid"}';
const deliver = (more = '', body = ` | ${paid}`) => `POST /api/webhooks/{1.json.id}${more}${body}`;
const requests = 'GET /api/webhooks/bins/{1.json.id}/requests';
const respond = 'PATCH /api/webhooks/bins/{1.json.id} | {"response":{"status":202}}';
const id = (value: string) => ` | Webhook-Id: ${value}`;
const sample = 'GET /api/webhooks/samples/github';
const verify = (provider = 'github') =>
  `POST /api/webhooks/verify/${provider} | Content-Type: application/json`;
const hub = 'X-Hub-Signature-256';
const secret = 'whsec_cHJhY3RpY2UtYXBpLWRlbW8tc2lnbmluZy1zZWNyZXQ=';
const stripe = (body: string, of = body, key = secret) =>
  `${verify('stripe')} | Stripe-Signature: t=<<now>>,v1=<<hmac ${key} <<now>>.${of}>> | text ${body}`;

const delivering: Readonly<Record<string, Cases>> = {
  'webhooks-deliver': {
    accepts: [
      `${bin} && ${deliver()}`,
      `${bin} && ${deliver('/below/it?a=b')}`,
      `${bin} | {"name":"mine"} && ${deliver(' | Content-Type: application/cloudevents+json; charset=utf-8')}`,
    ],
    rejects: [
      ['no POST', `${bin} && GET /api/webhooks/{1.json.id}`],
      ['not say that it is JSON', `${bin} && ${deliver('', ' | text x')}`],
      [
        'is not JSON',
        `${bin} && ${deliver(' | Content-Type: application/json', ' | text not json')}`,
      ],
      ['is not JSON', `${bin} && ${deliver(' | Content-Type: application/json', '')}`],
      ['another bin', `${bin} && ${bin} && ${deliver()}`],
    ],
  },
  'webhooks-inspect': {
    accepts: [
      `${bin} && ${deliver()} && ${requests}`,
      `${bin} && ${deliver('/x', ' | form a=b')} && ${requests}?limit=1`,
      `${bin} && ${deliver()} && HEAD /api/webhooks/bins/{1.json.id}/requests`,
    ],
    rejects: [
      ['description of the bin', `${bin} && ${deliver()} && GET /api/webhooks/bins/{1.json.id}`],
      ['1 of 3 parts', `${bin} && ${requests}`],
      [
        'another bin',
        `${bin} && ${deliver()} && ${bin} && POST /api/webhooks/{3.json.id} | {} && ${requests}`,
      ],
    ],
  },
  'webhooks-wait': {
    accepts: [
      `${bin} && ${deliver()} && ${requests}?wait=5&after=0`,
      `${bin} && ${deliver()} && ${requests}?after=0&wait=1`,
      `${bin} && ${deliver('/x')} && ${requests} && ${requests}?wait=2.5&after=0`,
    ],
    rejects: [
      ['without a long poll', `${bin} && ${deliver()} && ${requests}`],
      ['without a long poll', `${bin} && ${deliver()} && ${requests}?wait=0&after=0`],
      ['1 of 3 parts', `${bin} && ${requests}?after=0`],
    ],
  },
  'webhooks-respond': {
    accepts: [
      `${bin} && ${respond} && ${deliver()}`,
      `${bin} | {"response":{"status":202}} && ${deliver()}`,
      `${bin} && ${deliver()} && ${respond} && PUT /api/webhooks/{1.json.id}/x | text x`,
    ],
    rejects: [
      ['not respond with 202', `${bin} && ${respond.replace('202', '200')} && ${deliver()}`],
      ['request itself', `${bin} && ${deliver('?status=202')}`],
      ['another bin', `${bin} && ${respond} && ${bin} && ${deliver()}`],
    ],
  },
  'webhooks-retry': {
    accepts: [
      `${bin} && ${deliver('?status=503', `${id('msg_1')} | ${paid}`)} && ${deliver('', `${id('msg_1')} | ${paid}`)}`,
      `${bin} && ${deliver('?status=503', `${id('a')} | text x`)} && ${deliver('?status=503', `${id('a')} | text x`)} && ${deliver('', `${id('a')} | text x`)}`,
      `${bin} && ${deliver('/x?status=503', `${id('b')} | ${paid}`)} && GET /api/webhooks/bins/{1.json.id} && ${deliver('/y', `${id('b')} | ${paid}`)}`,
    ],
    rejects: [
      [
        'another Webhook-Id',
        `${bin} && ${deliver('?status=503', `${id('a')} | ${paid}`)} && ${deliver('', `${id('b')} | ${paid}`)}`,
      ],
      [
        'another body',
        `${bin} && ${deliver('?status=503', `${id('a')} | ${paid}`)} && ${deliver('', `${id('a')} | {}`)}`,
      ],
      ['no Webhook-Id', `${bin} && ${deliver('?status=503')}`],
      ['did not fail', `${bin} && ${deliver('', `${id('a')} | ${paid}`)}`],
    ],
  },
};

const verifying: Readonly<Record<string, Cases>> = {
  'webhooks-verify': {
    accepts: [
      `${sample} && ${verify()} | ${hub}: {1.x-hub-signature-256} | text {1.text}`,
      `${sample.replace('github', 'GitHub')} && ${verify('GITHUB')} | ${hub}: {1.x-hub-signature-256} | text {1.text}`,
      `${sample}?format=envelope && ${verify()} | ${hub}: {1.json.headers.X-Hub-Signature-256} | text {1.json.body}`,
    ],
    rejects: [
      [
        'byte by byte',
        `${sample} && ${verify()} | ${hub}: {1.x-hub-signature-256} | text {1.text} `,
      ],
      ['tampered with', `${sample}?tamper=body`],
      ['another provider', 'GET /api/webhooks/samples/stripe'],
      [
        'another provider',
        `${sample} && ${verify('stripe')} | ${hub}: {1.x-hub-signature-256} | text {1.text}`,
      ],
      ['signature is absent', `${sample} && ${verify()} | text {1.text}`],
    ],
  },
  'webhooks-tampered': {
    accepts: [
      `${sample}?tamper=body && ${verify()} | ${hub}: {1.x-hub-signature-256} | text {1.text}`,
      'GET /api/webhooks/samples/shopify?tamper=body && POST /api/webhooks/verify/shopify | X-Shopify-Hmac-Sha256: {1.x-shopify-hmac-sha256} | text {1.text}',
      `${sample}?tamper=body&format=envelope && ${verify()} | ${hub}: {1.json.headers.X-Hub-Signature-256} | text {1.json.body}`,
    ],
    rejects: [
      ['not changed', sample],
      ['byte by byte', `${sample}?tamper=body && ${verify()} | ${hub}: sha256=00 | {}`],
      [
        'another reason',
        `${sample}?tamper=body && ${verify()} | ${hub}: sha256=00 | text {1.text}`,
      ],
      ['not changed', `${sample}?tamper=signature`],
    ],
  },
  'webhooks-sign': {
    accepts: [
      stripe('{"a":1}'),
      stripe('Ada Lovelace'),
      `${stripe('{}', '[]')} && ${stripe('{}')}`,
    ],
    rejects: [
      ['no Stripe-Signature', `${verify('stripe')} | {}`],
      ['not fit', stripe('{}', '[]')],
      [
        'service has made',
        `GET /api/webhooks/samples/stripe && ${verify('stripe')} | Stripe-Signature: {1.stripe-signature} | text {1.text}`,
      ],
      [
        'service has made',
        `POST /api/webhooks/samples/stripe | {} && ${verify('stripe')} | Stripe-Signature: {1.json.headers.Stripe-Signature} | {}`,
      ],
      ['another provider', stripe('{}').replace('stripe', 'github')],
    ],
  },
};

export const webhooksCases = { ...delivering, ...verifying };
