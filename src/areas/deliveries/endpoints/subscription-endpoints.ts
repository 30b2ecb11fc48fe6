/** Endpoints of subscriptions. */

import { Type } from 'typebox';
import { plainTextPattern } from '#base/text/text-patterns.js';
import { failures } from '#http/schemas/error-schema.js';
import { location } from '#http/schemas/header-schemas.js';
import { type DeliveryScheme, deliverySchemes } from '#kit/deliveries/schemes.js';
import { nullableText } from '#kit/describe/nullable.js';
import { integer, oneOf, text } from '#kit/describe/value-schemas.js';
import { endpoint, secret } from '#kit/endpoint.js';
import { inSandbox } from '#kit/example.js';
import { member } from '#kit/request-collection.js';
import { maxSubscriptions, type Subscription } from '#state/events/publish-event.js';
import {
  changeSubscription,
  createSubscription,
  deleteSubscription,
  eventPattern,
  findSubscription,
  isStopped,
  listSubscriptions,
  maxSecretLength,
  rotateSecret,
  unknownSubscription,
  usualDisableAfter,
  usualSchedule,
} from '../model/subscriptions.js';

export const path = '/api/webhooks/subscriptions';
export const params = { id: text('The id of the subscription.') };
export const sandbox = inSandbox('my-webhooks');
export const inPath = { ...sandbox, path: { id: '{{subscription}}' } };

const maxEvents = 50;
const maxRetries = 20;
const maxRetrySeconds = 7 * 24 * 3600;

const events = Type.Array(
  Type.String({ pattern: eventPattern, description: 'a type such as todos.created, todos.* or *' }),
  { minItems: 1, maxItems: maxEvents },
);
const secretText = secret(
  Type.String({
    minLength: 8,
    maxLength: maxSecretLength,
    pattern: '^[\\x21-\\x7e]*$',
    description: 'printable characters without spaces',
  }),
);
const name = nullableText({ maxLength: 100, pattern: plainTextPattern });
const retrySchedule = Type.Array(integer(0, maxRetrySeconds, 'Seconds after the attempt before.'), {
  maxItems: maxRetries,
  description: `Pauses before further attempts, by the clock of the sandbox. Default: ${usualSchedule.join(', ')}.`,
});
const disableAfterFailures = integer(
  1,
  1000,
  `Deliveries in a row that failed in all attempts, after which the subscription is disabled. Default: ${usualDisableAfter}.`,
);
const scheme = oneOf(deliverySchemes);
const state = oneOf(['enabled', 'disabled']);

const subscriptionFields = {
  id: Type.String(),
  name: nullableText(),
  events,
  scheme,
  state,
  disabledBecause: Type.Optional(Type.String()),
  retrySchedule,
  disableAfterFailures,
  createdAt: text('ISO 8601 in UTC, by the clock of the sandbox.'),
  deliveriesUrl: text('Lists its deliveries.'),
};

const subscriptionSchema = Type.Object(subscriptionFields, { title: 'WebhookSubscription' });
const createdSchema = Type.Object(
  { ...subscriptionFields, secret: text('Shown only here.') },
  { title: 'NewWebhookSubscription' },
);

function describe(subscription: Subscription, baseUrl: string) {
  const { id, name, events, disabledBecause, createdAtMs, ...rest } = subscription;
  return {
    ...{ id, name, events, scheme: rest.scheme as DeliveryScheme },
    state: isStopped(subscription) ? ('disabled' as const) : ('enabled' as const),
    ...(disabledBecause !== undefined && { disabledBecause }),
    retrySchedule: rest.retrySchedule,
    disableAfterFailures: rest.disableAfterFailures,
    createdAt: new Date(createdAtMs).toISOString(),
    deliveriesUrl: `${baseUrl}${path}/${id}/deliveries`,
  };
}

const wanted = { events: ['todos.created'], scheme: 'standard-webhooks' };

const create = endpoint('POST', path, {
  summary: 'Create a subscription to events of the sandbox',
  description: `Each change of a record is an event, such as todos.created. Its deliveries wait until a program brings them to the receiver: practice-api listen, or a client that polls. The shared sandbox gets 403. A sandbox has at most ${maxSubscriptions} subscriptions.`,
  body: Type.Object(
    {
      events,
      scheme,
      secret: Type.Optional(secretText),
      name: Type.Optional(name),
      retrySchedule: Type.Optional(retrySchedule),
      disableAfterFailures: Type.Optional(disableAfterFailures),
    },
    { additionalProperties: false },
  ),
  responses: { 201: createdSchema, ...failures(403, 409) },
  responseHeaders: { 201: location },
  examples: {
    'New todos, by Standard Webhooks': {
      ...sandbox,
      json: wanted,
      keeps: { subscription: member('id') },
    },
    'The shared sandbox': { json: wanted },
    'A malformed event': { ...sandbox, json: { ...wanted, events: ['todos created'] } },
  },
  async handle(request, reply) {
    const { sandbox, body, baseUrl } = request;
    const created = await createSubscription(sandbox, body);
    reply.code(201).header('location', `${baseUrl}${path}/${created.id}`);
    return { ...describe(created, baseUrl), secret: created.secrets[0]?.value ?? '' };
  },
});

const list = endpoint('GET', path, {
  summary: 'List subscriptions, oldest first',
  description: 'Without their secrets.',
  responses: { 200: Type.Array(subscriptionSchema), ...failures(403) },
  examples: { 'All of a sandbox': { ...sandbox }, 'The shared sandbox': {} },
  handle: async ({ sandbox, baseUrl }) =>
    (await listSubscriptions(sandbox)).map((each) => describe(each, baseUrl)),
});

const read = endpoint('GET', `${path}/:id`, {
  summary: 'Describe a subscription',
  params,
  responses: { 200: subscriptionSchema, ...failures(403, 404) },
  examples: { 'A subscription': { ...inPath } },
  handle: async ({ sandbox, params: { id }, baseUrl }) =>
    describe(await findSubscription(sandbox, id), baseUrl),
});

const change = endpoint('PATCH', `${path}/:id`, {
  summary: 'Change a subscription, or enable it again',
  description: 'Omitted members do not change. What waits is delivered once it is enabled.',
  params,
  body: Type.Object(
    {
      events: Type.Optional(events),
      name: Type.Optional(name),
      state: Type.Optional(state),
      retrySchedule: Type.Optional(retrySchedule),
      disableAfterFailures: Type.Optional(disableAfterFailures),
    },
    { additionalProperties: false },
  ),
  responses: { 200: subscriptionSchema, ...failures(403, 404) },
  examples: {
    'Enable it': { ...inPath, json: { state: 'enabled' } },
  },
  async handle({ sandbox, params: { id }, body, baseUrl }) {
    const { state, ...changes } = body;
    const isEnabled = state === undefined ? {} : { isEnabled: state === 'enabled' };
    return describe(await changeSubscription(sandbox, id, { ...changes, ...isEnabled }), baseUrl);
  },
});

const rotate = endpoint('POST', `${path}/:id/secret`, {
  summary: 'Replace the secret',
  description:
    'With stripe and standard-webhooks, deliveries have the signatures of both secrets for 24 hours, by the clock of the sandbox.',
  params,
  body: Type.Object(
    { secret: Type.Optional(secretText) },
    { additionalProperties: false, default: {} },
  ),
  responses: { 200: Type.Object({ secret: Type.String() }), ...failures(403, 404) },
  examples: { 'A random secret': { ...inPath } },
  handle: async ({ sandbox, params: { id }, body }) => ({
    secret: await rotateSecret(sandbox, id, body.secret),
  }),
});

const remove = endpoint('DELETE', `${path}/:id`, {
  summary: 'Delete a subscription with its deliveries',
  params,
  responses: { 204: Type.Null(), ...failures(403, 404) },
  examples: { 'A subscription': inPath },
  async handle({ sandbox, params: { id } }, reply) {
    if (!(await deleteSubscription(sandbox, id))) throw unknownSubscription();
    return reply.code(204).send(null);
  },
});

export const subscriptionEndpoints = [create, list, read, change, rotate];
export const lastEndpoints = [remove];
