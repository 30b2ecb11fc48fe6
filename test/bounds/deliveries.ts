/** Bounds of subscriptions and of reports about deliveries. */

import { type Bound, times } from './bound.js';

const headers = { 'X-Sandbox': 'bounds-of-deliveries' };
const path = '/api/webhooks/subscriptions';
const file = 'areas/deliveries/endpoints/subscription-endpoints.ts';
const model = 'areas/deliveries/model/subscriptions.ts';

const created = (more: object) => ({
  target: `POST ${path}`,
  headers,
  json: { events: ['*'], scheme: 'github', ...more },
});

export const deliveryBounds: readonly Bound[] = [
  {
    limit: `${file}#maxEvents`,
    value: 50,
    request: (size) => created({ events: Array(size).fill('todos.*') }),
    rejection: [400, /at most 50/],
  },
  {
    limit: `${file}#maxRetries`,
    value: 20,
    request: (size) => created({ retrySchedule: Array(size).fill(1) }),
    rejection: [400, /at most 20/],
  },
  {
    limit: `${file}#maxRetrySeconds`,
    value: 604_800,
    request: (size) => created({ retrySchedule: [size] }),
    rejection: [400, /to 604800/],
  },
  {
    limit: `${model}#maxSecretLength`,
    value: 200,
    request: (size) => created({ secret: times(size, 's') }),
    rejection: [400, /secret/],
  },
  {
    limit: `${model}#maxSecretBytes`,
    value: 64,
    request: (size) =>
      created({
        scheme: 'standard-webhooks',
        secret: `whsec_${Buffer.alloc(size, 's').toString('base64')}`,
      }),
    rejection: [400, /24 to 64 bytes/],
  },
  {
    limit: `${model}#leastSecretBytes`,
    value: 24,
    isLeast: true,
    request: (size) =>
      created({
        scheme: 'standard-webhooks',
        secret: `whsec_${Buffer.alloc(size, 's').toString('base64')}`,
      }),
    rejection: [400, /24 to 64 bytes/],
  },
];
