/** Bodies and headers of deliveries, in the form of each provider. */

import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '#base/json-object.js';
import { unixSeconds } from '#base/whole-seconds.js';
import type { DeliveryScheme } from '#kit/deliveries/schemes.js';
import type { WaitingEvent } from '#state/events/publish-event.js';

export interface Enveloped {
  readonly event: WaitingEvent;
  /** The object that changed, as JSON. */
  readonly json: string;
  readonly subscription: string;
  /** Failed attempts before this one. */
  readonly attempts: number;
}

export interface Envelope {
  readonly body: (enveloped: Enveloped) => string;
  /** Headers without the signature. */
  readonly headers: (enveloped: Enveloped) => Readonly<Record<string, string>>;
}

/** The pinned version of the API of payments; other events have it, too. */
const stripeVersion = '2024-06-20';
const shopifyVersion = '2024-07';

/** Returns a UUID that is always the same for a text (RFC 9562 section 5.8). */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** Returns a number of nine digits that is always the same for a text. */
const numberOf = (text: string) =>
  String(100_000_000 + (createHash('sha256').update(text).digest().readUInt32BE() % 900_000_000));

/** Splits `todos.created` at its last dot. */
function partsOf(type: string): readonly [subject: string, action: string] {
  const dot = type.lastIndexOf('.');
  return dot < 0 ? [type, type] : [type.slice(0, dot), type.slice(dot + 1)];
}

/** Names of own collections may have any characters, and headers may not. */
const inHeader = (text: string) => text.replace(/[^\x21-\x7e]/g, '_');

const singular = (subject: string) => subject.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');

const shopifyActions: Readonly<Record<string, string>> = {
  created: 'create',
  updated: 'update',
  deleted: 'delete',
};

const timeOf = ({ atMs }: WaitingEvent) => new Date(atMs).toISOString();

/** Events of payments are whole: their object is inside. */
function objectOf({ event: { source }, json }: Enveloped): unknown {
  const value: unknown = JSON.parse(json);
  if (source !== 'payments' || !isObject(value)) return value;
  return (value.data as JsonObject | undefined)?.object ?? value;
}

export const envelopes: Readonly<Record<DeliveryScheme, Envelope>> = {
  'standard-webhooks': {
    body: (enveloped) => {
      const { event } = enveloped;
      return JSON.stringify({
        type: event.type,
        timestamp: timeOf(event),
        data: objectOf(enveloped),
      });
    },
    headers: () => ({ 'User-Agent': 'Practice-API-Webhooks/1' }),
  },
  stripe: {
    body: (enveloped) => {
      const { event, json } = enveloped;
      if (event.source === 'payments') return json;
      return JSON.stringify({
        id: event.id,
        object: 'event',
        api_version: stripeVersion,
        created: unixSeconds(event.atMs),
        data: { object: objectOf(enveloped) },
        livemode: false,
        pending_webhooks: 1,
        request: { id: null, idempotency_key: null },
        type: event.type,
      });
    },
    headers: () => ({ 'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)' }),
  },
  github: {
    body: (enveloped) => {
      const [subject, action] = partsOf(enveloped.event.type);
      return JSON.stringify({
        action,
        [singular(subject)]: objectOf(enveloped),
        repository: {
          id: 1296269,
          name: 'practice',
          full_name: 'practice/practice',
          private: false,
        },
        sender: { login: 'octocat', id: 1, type: 'User' },
      });
    },
    headers: ({ event, subscription }) => ({
      'User-Agent': 'GitHub-Hookshot/practice',
      'X-GitHub-Event': inHeader(partsOf(event.type)[0]),
      'X-GitHub-Delivery': uuidOf(event.id),
      'X-GitHub-Hook-ID': numberOf(subscription),
      'X-GitHub-Hook-Installation-Target-ID': '1296269',
      'X-GitHub-Hook-Installation-Target-Type': 'repository',
    }),
  },
  shopify: {
    body: (enveloped) => JSON.stringify(objectOf(enveloped)),
    headers: ({ event, subscription }) => {
      const [subject, action] = partsOf(event.type);
      return {
        'User-Agent': 'Shopify-Captain-Hook',
        'X-Shopify-Topic': inHeader(`${subject}/${shopifyActions[action] ?? action}`),
        'X-Shopify-Shop-Domain': 'practice-paper.myshopify.com',
        'X-Shopify-API-Version': shopifyVersion,
        'X-Shopify-Webhook-Id': uuidOf(`${subscription} ${event.id}`),
        'X-Shopify-Event-Id': uuidOf(event.id),
        'X-Shopify-Triggered-At': timeOf(event),
      };
    },
  },
  slack: {
    body: (enveloped) => {
      const { event } = enveloped;
      const object = objectOf(enveloped);
      const seconds = unixSeconds(event.atMs);
      return JSON.stringify({
        token: 'practice',
        team_id: 'T0PRACTICE',
        api_app_id: 'A0PRACTICE',
        event: {
          ...(isObject(object) ? object : { value: object }),
          type: event.type,
          event_ts: `${seconds}.000000`,
        },
        type: 'event_callback',
        event_id: event.id,
        event_time: seconds,
        authorizations: [],
        is_ext_shared_channel: false,
      });
    },
    headers: ({ attempts }) => ({
      'User-Agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      ...(attempts > 0 && {
        'X-Slack-Retry-Num': String(attempts),
        'X-Slack-Retry-Reason': 'http_error',
      }),
    }),
  },
};

/** Returns the ids by which a receiver may know an event. */
export function idsOf(id: string): readonly string[] {
  return [id, uuidOf(id)];
}
