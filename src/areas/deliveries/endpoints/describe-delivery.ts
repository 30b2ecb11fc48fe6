/** Deliveries in JSON. */

import { isUtf8 } from 'node:buffer';
import { Type } from 'typebox';
import { nullableText } from '#kit/describe/nullable.js';
import { oneOf, text } from '#kit/describe/value-schemas.js';
import { type Delivery, deliveryId, requestOf, stateOf } from '../control/deliveries.js';
import { attemptIdOf } from '../model/queue.js';

const headers = Type.Record(Type.String(), Type.String());
const body = {
  body: Type.Optional(Type.String()),
  bodyBase64: Type.Optional(text('Instead of body, if it is not UTF-8.')),
};

export const deliveryStates = ['waiting', 'delivered', 'failed', 'disabled'] as const;

const attemptSchema = Type.Object(
  {
    headers,
    ...body,
    status: Type.Union([Type.Integer(), Type.Null()], { description: 'Null without a response.' }),
    ms: Type.Integer(),
    at: text('ISO 8601 in UTC, by real time.'),
    error: Type.Optional(text('Why there was no response.')),
    responseHeaders: Type.Optional(headers),
  },
  { title: 'WebhookAttempt' },
);

const deliveryFields = {
  id: Type.String(),
  subscription: Type.String(),
  event: Type.Object({
    id: Type.String(),
    type: Type.String(),
    source: Type.String(),
    at: text('ISO 8601 in UTC, by the clock of the sandbox.'),
  }),
  attempt: Type.Integer({ description: 'Number of the next attempt, or of the last.' }),
  attemptId: Type.Optional(text('Identifies the next attempt in its report.')),
  state: oneOf(deliveryStates),
  nextAttemptAt: nullableText(),
  repeated: Type.Optional(
    oneOf(['unreported', 'redelivery', 'replay'], {
      description:
        'Why the receiver may have it already. unreported: a program that had it has not reported it.',
    }),
  ),
  case: Type.Optional(text('The case of a test of the receiver.')),
};

const requestSchema = Type.Object({
  headers,
  ...body,
  closeEarly: Type.Optional(
    Type.Literal(true, { description: 'Close the connection before the response.' }),
  ),
});

export const listedSchema = Type.Object(
  { ...deliveryFields, lastStatus: Type.Union([Type.Integer(), Type.Null()]) },
  { title: 'ListedDelivery' },
);

export const dueSchema = Type.Object(
  { ...deliveryFields, request: requestSchema },
  { title: 'DueDelivery' },
);

export const deliverySchema = Type.Object(
  {
    ...deliveryFields,
    request: requestSchema,
    requests: Type.Array(attemptSchema, { description: 'Its attempts, the newest last.' }),
  },
  { title: 'WebhookDelivery' },
);

function fieldsOf(delivery: Delivery) {
  const { subscription, entry, open, result } = delivery;
  const { item } = entry;
  const state = stateOf(delivery);
  const attempts = result?.attempts.length ?? 0;
  const isOpen = state === 'waiting' || state === 'disabled';
  const { nextAtMs = 0, repeated } = open ?? {};
  return {
    id: deliveryId(entry),
    subscription: subscription.id,
    event: {
      id: item.id,
      type: item.type,
      source: item.source,
      at: new Date(item.atMs).toISOString(),
    },
    attempt: isOpen ? (open?.attempts ?? 0) + 1 : attempts,
    ...(open !== undefined && { attemptId: attemptIdOf(open) }),
    state,
    nextAttemptAt: state === 'waiting' ? new Date(nextAtMs || item.atMs).toISOString() : null,
    ...(repeated !== undefined && { repeated }),
    ...(item.test !== undefined && { case: item.test.case }),
  };
}

export function listed(delivery: Delivery) {
  return { ...fieldsOf(delivery), lastStatus: delivery.result?.attempts.at(-1)?.status ?? null };
}

function bodyOf(bytes: Buffer) {
  return isUtf8(bytes) ? { body: String(bytes) } : { bodyBase64: bytes.toString('base64') };
}

export function due(delivery: Delivery, nowMs: number) {
  const { headers, body, isCut } = requestOf(delivery, nowMs);
  const request = { headers, ...bodyOf(body), ...(isCut && { closeEarly: true as const }) };
  return { ...fieldsOf(delivery), request };
}

/** Bodies of attempts are shown up to this size; `request` always has it. */
const maxShownBytes = 16 * 1024;

export function whole(delivery: Delivery, nowMs: number) {
  const { body } = requestOf(delivery, nowMs);
  const shown = body.length <= maxShownBytes ? bodyOf(body) : {};
  const requests = (delivery.result?.attempts ?? []).map(
    ({ status, ms, atMs, error, headers, response }) => ({
      ...{ headers, ...shown, status, ms },
      at: new Date(atMs).toISOString(),
      ...(error !== undefined && { error }),
      ...(response !== undefined && { responseHeaders: response }),
    }),
  );
  return { ...due(delivery, nowMs), requests };
}
