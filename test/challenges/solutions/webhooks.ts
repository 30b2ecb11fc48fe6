/** Solutions of the track webhooks. */

import { type Call, headers, type Solutions } from './solution.js';

const json = { event: 'paid' };
const binOf = async (call: Call) => (await call('POST /api/webhooks/bins')).json.id;
const deliver = (call: Call, id: string, more: object = {}) =>
  call(`POST /api/webhooks/${id}`, { json, ...more });
async function sample(call: Call, query = '') {
  const { headers: received, text } = await call(`GET /api/webhooks/samples/github${query}`);
  return { signature: String(received['x-hub-signature-256']), text };
}
const verify = (call: Call, signature: string, body: string) =>
  call('POST /api/webhooks/verify/github', {
    headers: { 'X-Hub-Signature-256': signature, 'Content-Type': 'application/json' },
    body,
  });

export const webhooksSolutions: Solutions = {
  'webhooks-deliver': {
    solve: async (call) => deliver(call, await binOf(call)),
    misses: [
      [/are POST/, async (call) => call(`GET /api/webhooks/${await binOf(call)}`)],
      [
        /not say that/,
        async (call) => call(`POST /api/webhooks/${await binOf(call)}`, { body: 'x' }),
      ],
    ],
  },
  'webhooks-inspect': {
    async solve(call) {
      const id = await binOf(call);
      await deliver(call, id);
      await call(`GET /api/webhooks/bins/${id}/requests`);
    },
    misses: [
      [
        /described the bin/,
        async (call) => {
          const id = await binOf(call);
          await deliver(call, id);
          await call(`GET /api/webhooks/bins/${id}`);
        },
      ],
    ],
  },
  'webhooks-wait': {
    async solve(call) {
      const id = await binOf(call);
      await deliver(call, id);
      await call(`GET /api/webhooks/bins/${id}/requests?wait=5&after=0`);
    },
    misses: [
      [
        /without \?wait/,
        async (call) => {
          const id = await binOf(call);
          await deliver(call, id);
          await call(`GET /api/webhooks/bins/${id}/requests`);
        },
      ],
    ],
  },
  'webhooks-respond': {
    async solve(call) {
      const id = await binOf(call);
      await call(`PATCH /api/webhooks/bins/${id}`, { json: { response: { status: 202 } } });
      await deliver(call, id);
    },
    misses: [
      [
        /is not 202/,
        async (call) =>
          call(`PATCH /api/webhooks/bins/${await binOf(call)}`, {
            json: { response: { status: 200 } },
          }),
      ],
    ],
  },
  'webhooks-verify': {
    async solve(call) {
      const { signature, text } = await sample(call);
      await verify(call, signature, text);
    },
    misses: [
      [
        /signature is wrong/,
        async (call) => {
          const { signature, text } = await sample(call);
          await verify(call, signature, JSON.stringify(JSON.parse(text), null, 3));
        },
      ],
      [/Leave tamper out/, (call) => sample(call, '?tamper=body')],
    ],
  },
  'webhooks-tampered': {
    async solve(call) {
      const { signature, text } = await sample(call, '?tamper=body');
      await verify(call, signature, text);
    },
    misses: [[/sample is valid/, (call) => sample(call)]],
  },
  'webhooks-sign': {
    async solve(call) {
      const { json: signed } = await call('POST /api/webhooks/samples/stripe', { json });
      const signature = { 'Stripe-Signature': signed.headers['Stripe-Signature'] };
      await call('POST /api/webhooks/verify/stripe', { json, ...headers(signature) });
    },
    misses: [
      [/no Stripe-Signature/, (call) => call('POST /api/webhooks/verify/stripe', { json })],
      [
        /signature is wrong/,
        (call) =>
          call('POST /api/webhooks/verify/stripe', {
            json,
            ...headers({ 'Stripe-Signature': `t=${Math.floor(Date.now() / 1000)},v1=00` }),
          }),
      ],
    ],
  },
  'webhooks-retry': {
    async solve(call) {
      const id = await binOf(call);
      const more = headers({ 'Webhook-Id': 'msg_1' });
      await deliver(call, `${id}?status=503`, more);
      await deliver(call, id, more);
    },
    misses: [
      [
        /another Webhook-Id/,
        async (call) => {
          const id = await binOf(call);
          await deliver(call, `${id}?status=503`, headers({ 'Webhook-Id': 'msg_1' }));
          await deliver(call, id, headers({ 'Webhook-Id': 'msg_2' }));
        },
      ],
    ],
  },
};
