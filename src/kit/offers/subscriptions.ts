/** Subscriptions to the events of a sandbox, for areas whose protocols create them as well. */

import type { Awaitable } from '#base/awaitable.js';
import type { JsonObject } from '#base/json-object.js';
import type { Sandbox } from '#state/state.js';
import type { DeliveryScheme } from '../deliveries/schemes.js';
import { OfferToken } from './offers.js';

export interface NewSubscription {
  /** Types of events, prefixes such as `charge.*`, or `*`. */
  readonly events: readonly string[];
  readonly scheme: DeliveryScheme;
  /** Default: a random id that begins with `sub_`. Long and random, because it leads to the deliveries. */
  readonly id?: string;
  /** Default: a random one in the format of the scheme. */
  readonly secret?: string;
  readonly name?: string | null;
  /** Selects only events of this source. */
  readonly source?: string;
  /** Whether it gets no events. */
  readonly isPaused?: boolean;
  /** Properties of the caller's protocol, of at most 20,000 bytes as JSON. */
  readonly details?: JsonObject;
}

export interface KnownSubscription
  extends Required<Pick<NewSubscription, 'events' | 'scheme' | 'id' | 'isPaused'>>,
    Pick<NewSubscription, 'source' | 'details'> {
  readonly name: string | null;
  readonly createdAtMs: number;
  /** Why its deliveries stopped; absent while it is enabled. */
  readonly disabledBecause?: string;
}

export type SubscriptionChange = Partial<
  Pick<NewSubscription, 'events' | 'name' | 'isPaused' | 'details'>
> & { readonly isEnabled?: boolean };

/** All throw an HttpError: 403 in the shared sandbox, 400 for invalid input, 409 beyond the limit. */
export interface SubscriptionSteering {
  /** Returns the secret, which is shown once. */
  readonly create: (
    sandbox: Sandbox,
    wanted: NewSubscription,
  ) => Promise<{ readonly subscription: KnownSubscription; readonly secret: string }>;
  /** Returns the oldest first; of one source, if it is given. */
  readonly list: (sandbox: Sandbox, source?: string) => Promise<readonly KnownSubscription[]>;
  /** Returns `undefined` for an unknown id. */
  readonly change: (
    sandbox: Sandbox,
    id: string,
    change: SubscriptionChange,
  ) => Promise<KnownSubscription | undefined>;
  readonly remove: (sandbox: Sandbox, id: string) => Promise<boolean>;
}

export const subscriptionsToken = new OfferToken<Awaitable<SubscriptionSteering>>('subscriptions');
