/** Webhook endpoints: subscriptions of the sandbox, in the form of Stripe. */

import { randomBytes } from 'node:crypto';
import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import type { KnownSubscription, SubscriptionSteering } from '#kit/offers/subscriptions.js';
import { checkUrl, mergeMetadata } from '../engine/call.js';
import { declarationOf } from '../engine/declarations.js';
import { apiVersion } from '../engine/ledger.js';
import type { Params, Stored, Value } from '../engine/objects.js';
import { invalidRequest, noSuch } from '../wire/errors.js';

const source = 'payments';

const type = 'webhook_endpoint';

function shown({
  id,
  events,
  createdAtMs,
  isPaused,
  disabledBecause,
  details,
}: KnownSubscription): Value {
  const { url, description = null, metadata = {} } = (details ?? {}) as Params;
  return {
    id,
    ...declarationOf(type).template,
    ...{ created: Math.floor(createdAtMs / 1000), description, enabled_events: events, metadata },
    status: isPaused || disabledBecause !== undefined ? 'disabled' : 'enabled',
    ...{ url, api_version: apiVersion },
  };
}

const eventForm = /^(?:\*|[a-z_]{1,60}(?:\.[a-z_]{1,60}){1,4})$/;

function checkEvents(events: readonly string[] | undefined): void {
  if (events === undefined) return;
  const wrong = events.findIndex((event) => !eventForm.test(event));
  if (events.length > 0 && wrong < 0) return;
  throw invalidRequest('Invalid enabled_events: list types of events, or *.', {
    param: wrong < 0 ? 'enabled_events' : `enabled_events[${wrong}]`,
  });
}

/** The shared sandbox has none, because strangers could read the deliveries. */
async function shaped<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 403) throw error;
    throw invalidRequest(
      'The shared sandbox has no webhook endpoints, because strangers could read the events. Use the key sk_test_{sandbox} with a name of your choice.',
    );
  }
}

type Steer = (request: Request, params: Params, id: string) => Promise<object>;

export function webhookOperations(
  subscriptions: SubscriptionSteering,
): Readonly<Record<string, Steer>> {
  const all = ({ sandbox }: Request) => shaped(async () => subscriptions.list(sandbox, source));
  const find = async (request: Request, id: string): Promise<KnownSubscription> => {
    const found = (await all(request)).find((each) => each.id === id);
    if (found === undefined) throw noSuch('webhook endpoint', id, 'id');
    return found;
  };
  return {
    'webhook_endpoint.create': async ({ sandbox }, params) => {
      const { url, enabled_events: events, description, metadata } = params;
      checkUrl(url, 'url');
      checkEvents(events);
      const id = `we_${randomBytes(18).toString('base64url').replace(/[-_]/g, 'x')}`;
      const details = { url, description: description || null, metadata: metadata || {} };
      const { subscription, secret } = await shaped(async () =>
        subscriptions.create(sandbox, { id, events, scheme: 'stripe', source, details }),
      );
      return { ...shown(subscription), secret };
    },
    'webhook_endpoint.retrieve': async (request, _params, id) => shown(await find(request, id)),
    'webhook_endpoint.update': async (request, params, id) => {
      const { details = {} } = await find(request, id);
      const { url, enabled_events: events, description, metadata, disabled } = params;
      checkUrl(url, 'url');
      checkEvents(events);
      const changed = await shaped(async () =>
        subscriptions.change(request.sandbox, id, {
          ...(events !== undefined && { events }),
          ...(disabled !== undefined && { isPaused: disabled }),
          ...(disabled === false && { isEnabled: true }),
          details: {
            ...details,
            ...(url !== undefined && { url }),
            ...(description !== undefined && { description: description || null }),
            ...(metadata !== undefined && {
              metadata: mergeMetadata((details as Params).metadata, metadata),
            }),
          },
        }),
      );
      if (changed === undefined) throw noSuch('webhook endpoint', id, 'id');
      return shown(changed);
    },
    'webhook_endpoint.del': async (request, _params, id) => {
      await find(request, id);
      await subscriptions.remove(request.sandbox, id);
      return { id, object: type, deleted: true };
    },
    'webhook_endpoint.list': async (request) => ({
      object: 'list',
      data: (await all(request)).map(shown).reverse() as readonly Stored[],
      has_more: false,
      url: declarationOf(type).path,
    }),
  };
}
