/** Endpoints of deliveries: to list them, to take them to the receiver, and to repeat them. */

import { Type } from 'typebox';
import type { JsonObject } from '#base/json-object.js';
import type { Request } from '#http/exchange.js';
import { fieldError, HttpError } from '#http/http-error.js';
import { bytesOf } from '#http/schemas/bytes-of.js';
import { failures } from '#http/schemas/error-schema.js';
import { forgetEmptyId, sendEvents } from '#http/sending/event-stream.js';
import { anyObject, integer, oneOf, optionalText, text } from '#kit/describe/value-schemas.js';
import { type Endpoint, endpoint } from '#kit/endpoint.js';
import { sequenceParameter, waitParameter } from '#kit/sandbox/wait-for-entry.js';
import type { Services } from '#kit/services.js';
import {
  connectListener,
  findDelivery,
  lendDue,
  listDeliveries,
  positionOf,
  redeliverOne,
  replayFrom,
  reportAttempt,
  testDelivery,
  waitForNews,
} from '../control/deliveries.js';
import { streamDeliveries } from '../control/stream-deliveries.js';
import { processId } from '../model/spaces.js';
import { eventPattern, findSubscription } from '../model/subscriptions.js';
import {
  deliverySchema,
  deliveryStates,
  due,
  dueSchema,
  listed,
  listedSchema,
  whole,
} from './describe-delivery.js';
import { inPath, params, path } from './subscription-endpoints.js';

const listPath = `${path}/:id/deliveries`;
const onePath = `${listPath}/:delivery`;
const oneParams = { ...params, delivery: text('The id of the delivery.') };
const oneInPath = { ...inPath, path: { ...inPath.path, delivery: '{{delivery}}' } };

const maxListed = 100;
/** Deliveries that a client that polls gets at once. */
const maxDue = 8;
const usualLeaseSeconds = 30;
const maxLeaseSeconds = 3600;
/** Longer than any receiver is waited for. */
const maxAttemptMs = 3_600_000;
const maxResponseHeaders = 50;
const maxHeaderBytes = 8 * 1024;

const subscriptionOf = ({ sandbox, params }: Request<{ Params: { id: string } }>) =>
  findSubscription(sandbox, params.id);

async function deliveryOf(request: Request<{ Params: { id: string; delivery: string } }>) {
  const subscription = await subscriptionOf(request);
  return findDelivery(request.sandbox, subscription, request.params.delivery);
}

const test = endpoint('POST', `${path}/:id/test`, {
  summary: 'Send a test event',
  description: 'Also if the subscription does not select its type.',
  params,
  body: Type.Object(
    {
      type: Type.String({ pattern: eventPattern, description: 'a type such as order.paid' }),
      data: anyObject('The object of the event.'),
    },
    { additionalProperties: false },
  ),
  responses: { 201: deliverySchema, ...failures(403, 404) },
  examples: {
    'An order': {
      ...inPath,
      json: { type: 'order.paid', data: { id: 'order_1', amount: 1200 } },
      keeps: { delivery: { body: ['id'] } },
    },
  },
  async handle(request, reply) {
    const subscription = await subscriptionOf(request);
    const delivery = await testDelivery(
      request.sandbox,
      subscription,
      request.body as { type: string; data: JsonObject },
    );
    reply.code(201);
    return whole(delivery, await request.sandbox.now());
  },
});

const list = ({ limits: { held }, runtime }: Services) =>
  endpoint('GET', listPath, {
    summary: 'List deliveries, or poll for those that are due',
    description:
      'Without wait, lists all, the newest first. With wait, returns only deliveries that are due, with their signed requests: send each to the receiver, then report the attempt. Of each object, only the first is due. Another poll gets them again after the lease, marked as repeated, if there was no report.',
    params,
    query: {
      wait: waitParameter('delivery that is due'),
      lease: Type.Optional(
        integer(
          0,
          maxLeaseSeconds,
          `With wait: seconds for which no other program gets them. With 0, they stay due. Default: ${usualLeaseSeconds}.`,
        ),
      ),
      state: Type.Optional(oneOf(deliveryStates)),
      before: Type.Optional(
        integer(0, Number.MAX_SAFE_INTEGER, 'The value of next in the response before.'),
      ),
      limit: Type.Optional(integer(1, maxListed, 'Default: 50; at most 8 that are due.')),
    },
    responses: {
      200: Type.Object({
        deliveries: Type.Array(Type.Union([listedSchema, dueSchema])),
        next: Type.Optional(Type.Integer()),
      }),
      ...failures(403, 404),
    },
    examples: {
      'All deliveries': { ...inPath },
      'Those that are due': { ...inPath, query: { wait: 0, lease: 0 } },
    },
    async handle(request, reply) {
      const { sandbox, query } = request;
      const { wait, state, before, limit = 50, lease = usualLeaseSeconds } = query;
      const subscription = await subscriptionOf(request);
      if (wait === undefined) {
        const { deliveries, next } = await listDeliveries(sandbox, subscription, {
          ...{ before, limit, state },
        });
        return { deliveries: deliveries.map(listed), ...(next !== undefined && { next }) };
      }
      const polling = {
        limit: Math.min(limit, maxDue),
        // The response to HEAD has no deliveries.
        leaseSeconds: request.method === 'HEAD' ? 0 : lease,
        isOnlyProcess: runtime.config.stateUrl === undefined,
      };
      let position = await positionOf(sandbox, subscription.id);
      let found = await lendDue(sandbox, subscription, polling);
      if (found.length === 0 && wait > 0) {
        const { signal, release } = held.hold(request, reply, wait * 1000);
        try {
          while (found.length === 0) {
            await waitForNews(sandbox, subscription.id, position, signal);
            // A client that has left must not have deliveries.
            if (signal.aborted) break;
            position = await positionOf(sandbox, subscription.id);
            found = await lendDue(sandbox, await subscriptionOf(request), polling);
          }
        } finally {
          release();
        }
      }
      const nowMs = await sandbox.now();
      return { deliveries: found.map((each) => due(each, nowMs)) };
    },
  });

const stream = ({ limits: { held }, runtime }: Services) =>
  endpoint('GET', `${listPath}/stream`, {
    summary: 'Stream deliveries that are due, as Server-Sent Events',
    description:
      'Each event named delivery has a delivery with its signed request. Only one listener has the deliveries of a subscription at a time; others get 409. After a reconnection with Last-Event-ID, it gets what it has not received; a listener that has just started gets all that was not reported. An event named deleted or replaced ends the stream.',
    params,
    query: {
      listener: Type.Optional(
        Type.String({
          pattern: '^[\\w-]{1,64}$',
          description: 'Names the program, also when it reconnects. Default: stream.',
        }),
      ),
      lastEventId: sequenceParameter('The same as the header Last-Event-ID.'),
    },
    before: forgetEmptyId,
    headers: { 'last-event-id': sequenceParameter('The id of the last event received.') },
    responses: { 200: bytesOf('text/event-stream'), ...failures(403, 404, 409) },
    responseHeaders: { 200: { 'X-Accel-Buffering': Type.Literal('no') } },
    async handle(request, reply) {
      const { sandbox, headers, query, params } = request;
      const { id } = await subscriptionOf(request);
      const { listener = 'stream', lastEventId } = query;
      if (request.method === 'HEAD') return sendEvents(request, reply, held, () => []);
      const connection = await connectListener(sandbox, id, {
        ...{ id: listener, process: processId, received: headers['last-event-id'] ?? lastEventId },
        isOnlyProcess: runtime.config.stateUrl === undefined,
      });
      if (connection === undefined) {
        throw new HttpError(409, 'Another listener has the deliveries of this subscription.');
      }
      const connected = { listener, connection };
      return sendEvents(request, reply, held, ({ signal }) =>
        streamDeliveries({ sandbox, id: params.id, connected, show: due, signal }),
      );
    },
  });

const read = endpoint('GET', onePath, {
  summary: 'Describe a delivery with its attempts',
  params: oneParams,
  responses: { 200: deliverySchema, ...failures(403, 404) },
  examples: { 'A delivery': { ...oneInPath } },
  handle: async (request) => whole(await deliveryOf(request), await request.sandbox.now()),
});

const report = endpoint('POST', `${onePath}/attempts`, {
  summary: 'Report an attempt',
  description:
    'A status of 2xx settles the delivery, and 410 disables the subscription. After anything else, the next attempt follows by the schedule. Reported again with the same attemptId, it changes nothing.',
  params: oneParams,
  body: Type.Object(
    {
      attemptId: optionalText('Of the delivery. Default: the attempt that is due.'),
      status: Type.Union([integer(100, 599, 'Of the response.'), Type.Null()], {
        description: 'Null without a response.',
      }),
      ms: Type.Number({ minimum: 0, maximum: maxAttemptMs }),
      error: Type.Optional(Type.String({ maxLength: 200 })),
      headers: Type.Optional(
        Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 1000 }), {
          maxProperties: maxResponseHeaders,
          description: 'Headers of the response, with names in lower case.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  responses: { 200: deliverySchema, ...failures(403, 404, 409) },
  examples: {
    'A success': { ...oneInPath, json: { status: 200, ms: 12 } },
    'There is no attempt': { ...oneInPath, json: { attemptId: 'none', status: 200, ms: 12 } },
  },
  async handle(request) {
    const { headers } = request.body;
    if (headers !== undefined && JSON.stringify(headers).length > maxHeaderBytes) {
      throw fieldError('headers', `headers must have at most ${maxHeaderBytes} characters.`);
    }
    await reportAttempt(request.sandbox, await deliveryOf(request), request.body);
    return whole(await deliveryOf(request), await request.sandbox.now());
  },
});

const redeliver = endpoint('POST', `${onePath}/redeliver`, {
  summary: 'Request a delivery again',
  description:
    'It is due at once, also after it was delivered or has failed. Its event keeps its id.',
  params: oneParams,
  responses: { 200: deliverySchema, ...failures(403, 404) },
  examples: { 'A delivery': { ...oneInPath } },
  async handle(request) {
    await redeliverOne(request.sandbox, await deliveryOf(request));
    return whole(await deliveryOf(request), await request.sandbox.now());
  },
});

const replay = endpoint('POST', `${path}/:id/replay`, {
  summary: 'Request deliveries again since a time',
  description:
    'In their order; the newest 10,000 are stored. since may also be the id of a delivery.',
  params,
  query: { since: text('ISO 8601, by the clock of the sandbox, or the id of a delivery.') },
  responses: { 200: Type.Object({ deliveries: Type.Integer() }), ...failures(403, 404) },
  examples: {
    'A year': { ...inPath, query: { since: '2020-01-01T00:00:00Z' } },
    'No time': { ...inPath, query: { since: 'yesterday' } },
  },
  async handle(request) {
    const { sandbox } = request;
    const { since } = request.query;
    const subscription = await subscriptionOf(request);
    const sinceMs = Date.parse(since);
    if (!since.startsWith('dlv_') && Number.isNaN(sinceMs)) {
      throw fieldError(
        'since',
        'since must be a time such as 2026-01-31T12:00:00Z, or a delivery.',
      );
    }
    const first = since.startsWith('dlv_')
      ? (await findDelivery(sandbox, subscription, since)).entry.sequence
      : undefined;
    const deliveries = await replayFrom(sandbox, subscription, ({ sequence, item }) =>
      first === undefined ? item.atMs >= sinceMs : sequence >= first,
    );
    return { deliveries };
  },
});

export const deliveryEndpoints = (services: Services): readonly Endpoint[] => [
  test,
  list(services),
  stream(services),
  read,
  report,
  redeliver,
  replay,
];
