/** The subscriptions of a sandbox. */

import { randomBytes } from 'node:crypto';
import { fieldError, HttpError } from '#http/http-error.js';
import { type DeliveryScheme, schemes } from '#kit/deliveries/schemes.js';
import type {
  KnownSubscription,
  NewSubscription,
  SubscriptionChange,
  SubscriptionSteering,
} from '#kit/offers/subscriptions.js';
import {
  maxSubscriptions,
  type Secret,
  type Subscription,
  subscriptionsKey,
  subscriptionsSpace,
  waitingSpace,
  watcherId,
} from '#state/events/publish-event.js';
import { type Sandbox, sharedSandboxName, type Transaction } from '#state/state.js';
import { emptyQueue } from './queue.js';
import { changesSpace, processId, queuesSpace, resultsSpace } from './spaces.js';

/** The example of Standard Webhooks, section Deliverability and reliability. */
export const usualSchedule = [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400];
export const usualDisableAfter = 5;

export const maxDetailsBytes = 20_000;
/** Pattern of a type of events: names with dots between, `*` for the last, or only `*`. */
export const eventPattern =
  '^(?:\\*|[A-Za-z0-9_-]{1,60}(?:\\.[A-Za-z0-9_-]{1,60}){0,4}(?:\\.\\*)?)$';

/** A rotated secret signs for this long, by the clock of the sandbox. */
const rotationMs = 24 * 3600 * 1000;

const newSecrets: Readonly<Record<DeliveryScheme, () => string>> = {
  'standard-webhooks': () => `whsec_${randomBytes(24).toString('base64')}`,
  stripe: () => `whsec_${randomBytes(24).toString('hex')}`,
  github: () => randomBytes(20).toString('hex'),
  shopify: () => randomBytes(32).toString('hex'),
  slack: () => randomBytes(16).toString('hex'),
};

/** Standard Webhooks, section Signature scheme. */
const leastSecretBytes = 24;
const maxSecretBytes = 64;
export const maxSecretLength = 200;

export type WantedSubscription = NewSubscription &
  Partial<Pick<Subscription, 'retrySchedule' | 'disableAfterFailures'>>;

/** Throws 403 in the sandbox that strangers share. */
export function checkSandbox({ name }: Pick<Sandbox, 'name'>): void {
  if (name !== sharedSandboxName) return;
  throw new HttpError(
    403,
    'Subscriptions need your own sandbox, because requests without X-Sandbox share one. Send a header such as X-Sandbox: any-name, or put /s/any-name before the path.',
  );
}

function checkSecret(scheme: DeliveryScheme, secret: string): void {
  if (scheme !== 'standard-webhooks') return;
  const base64 = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  const bytes = base64 === undefined ? 0 : Buffer.from(base64, 'base64').length;
  if (bytes >= leastSecretBytes && bytes <= maxSecretBytes) return;
  throw fieldError(
    'secret',
    `secret must be whsec_ and the base64 of ${leastSecretBytes} to ${maxSecretBytes} bytes, as Standard Webhooks requires.`,
  );
}

function checkEvents(events: readonly string[]): void {
  const known = new RegExp(eventPattern);
  const wrong = events.find((each) => !known.test(each));
  if (wrong === undefined && events.length > 0) return;
  throw fieldError('events', 'events must be types such as todos.created, todos.* or *.');
}

const listIn = (view: Transaction) => view.read(subscriptionsSpace, subscriptionsKey) ?? [];

export async function listSubscriptions(sandbox: Sandbox): Promise<readonly Subscription[]> {
  checkSandbox(sandbox);
  const all = (await sandbox.read(subscriptionsSpace, subscriptionsKey)) ?? [];
  return all.filter(({ id }) => id !== watcherId);
}

export function unknownSubscription(): HttpError {
  return new HttpError(
    404,
    'Unknown subscription in this sandbox. GET /api/webhooks/subscriptions lists them.',
  );
}

/** Returns `undefined` for an unknown one. */
export async function subscriptionOf(
  sandbox: Sandbox,
  id: string,
): Promise<Subscription | undefined> {
  return (await listSubscriptions(sandbox)).find((each) => each.id === id);
}

/** Throws 404 for an unknown one. */
export async function findSubscription(sandbox: Sandbox, id: string): Promise<Subscription> {
  const found = await subscriptionOf(sandbox, id);
  if (found === undefined) throw unknownSubscription();
  return found;
}

export async function createSubscription(
  sandbox: Sandbox,
  wanted: WantedSubscription,
): Promise<Subscription> {
  checkSandbox(sandbox);
  const { events, scheme, secret = newSecrets[scheme](), source, details, name = null } = wanted;
  checkEvents(events);
  checkSecret(scheme, secret);
  const id = wanted.id ?? `sub_${randomBytes(18).toString('base64url')}`;
  const { retrySchedule = usualSchedule, disableAfterFailures = usualDisableAfter } = wanted;
  return sandbox.transact((view) => {
    const list = listIn(view);
    if (list.filter((each) => each.id !== watcherId).length >= maxSubscriptions) {
      throw new HttpError(
        409,
        `A sandbox has at most ${maxSubscriptions} subscriptions. Delete one first.`,
      );
    }
    const created: Subscription = {
      ...{ id, events, scheme, name, retrySchedule, disableAfterFailures },
      secrets: [{ value: secret }],
      createdAtMs: view.nowMs,
      ...(source !== undefined && { source }),
      ...(details !== undefined && { details }),
      ...(wanted.isPaused === true && { isPaused: true }),
    };
    view.write(subscriptionsSpace, subscriptionsKey, [...list, created]);
    view.write(queuesSpace, id, { ...emptyQueue, process: processId });
    return created;
  });
}

/** Returns whether its deliveries wait until it is enabled again. */
export const isStopped = ({ disabledBecause, isPaused }: Subscription): boolean =>
  disabledBecause !== undefined || isPaused === true;

/** Changes a subscription in a transaction; returns `undefined` for an unknown one. */
export function changeIn(
  view: Transaction,
  id: string,
  change: (subscription: Subscription) => Subscription,
): Subscription | undefined {
  const list = listIn(view);
  const before = list.find((each) => each.id === id);
  if (before === undefined) return undefined;
  const after = change(before);
  view.write(
    subscriptionsSpace,
    subscriptionsKey,
    list.map((each) => (each === before ? after : each)),
  );
  view.append(changesSpace, id, null, '');
  return after;
}

export type Changes = SubscriptionChange &
  Partial<Pick<Subscription, 'retrySchedule' | 'disableAfterFailures'>>;

/** Throws 404 for an unknown one. */
export async function changeSubscription(
  sandbox: Sandbox,
  id: string,
  changes: Changes,
): Promise<Subscription> {
  checkSandbox(sandbox);
  if (changes.events !== undefined) checkEvents(changes.events);
  const changed = await sandbox.transact((view) =>
    changeIn(view, id, (before) => withChanges(before, changes)),
  );
  if (changed === undefined) throw unknownSubscription();
  return changed;
}

const disabledByHand = 'It was disabled by a request.';

function withChanges(before: Subscription, changes: Changes): Subscription {
  const { isEnabled, isPaused, ...given } = changes;
  const { disabledBecause, isPaused: wasPaused, ...rest } = before;
  const reason = disabledBecause ?? disabledByHand;
  const isDisabled = isEnabled === undefined ? disabledBecause !== undefined : !isEnabled;
  return {
    ...rest,
    ...(given as Partial<Subscription>),
    ...((isPaused ?? wasPaused) && { isPaused: true }),
    ...(isDisabled && { disabledBecause: reason }),
  };
}

/** Replaces the secret. Where the scheme has several signatures, the old one signs for another day. */
export async function rotateSecret(
  sandbox: Sandbox,
  id: string,
  given: string | undefined,
): Promise<string> {
  const { scheme: name } = await findSubscription(sandbox, id);
  const scheme = name as DeliveryScheme;
  const secret = given ?? newSecrets[scheme]();
  checkSecret(scheme, secret);
  await sandbox.transact((view) =>
    changeIn(view, id, (before) => {
      const old = { value: before.secrets[0]?.value ?? '', validUntilMs: view.nowMs + rotationMs };
      const kept = schemes[scheme].hasManySignatures ? [old] : [];
      return { ...before, secrets: [{ value: secret }, ...kept] };
    }),
  );
  return secret;
}

/** Returns the secrets that sign now, the newest first. */
export function secretsOf({ secrets }: Subscription, nowMs: number): readonly string[] {
  const isValid = ({ validUntilMs }: Secret) => validUntilMs === undefined || nowMs < validUntilMs;
  return secrets.filter(isValid).map(({ value }) => value);
}

/** Deletes a subscription with its deliveries, and returns whether there was one. */
export async function deleteSubscription(sandbox: Sandbox, id: string): Promise<boolean> {
  checkSandbox(sandbox);
  return sandbox.transact((view) => {
    const list = listIn(view);
    const left = list.filter((each) => each.id !== id);
    if (left.length === list.length) return false;
    const isEmpty = left.every((each) => each.id === watcherId);
    view.write(subscriptionsSpace, subscriptionsKey, isEmpty ? undefined : left);
    view.write(waitingSpace, id, undefined);
    view.write(queuesSpace, id, undefined);
    for (const [key] of view.entries(resultsSpace)) {
      if (key.startsWith(`${id}|`)) view.write(resultsSpace, key, undefined);
    }
    view.append(changesSpace, id, null, '');
    return true;
  });
}

function knownOf(subscription: Subscription): KnownSubscription {
  const { secrets, retrySchedule, disableAfterFailures, scheme, ...known } = subscription;
  return { ...known, scheme: scheme as DeliveryScheme, isPaused: known.isPaused ?? false };
}

function checkDetails(details: object | undefined): void {
  if (details === undefined || Buffer.byteLength(JSON.stringify(details)) <= maxDetailsBytes)
    return;
  throw fieldError('details', `The details must have at most ${maxDetailsBytes} bytes.`);
}

/** For areas whose protocols have subscriptions as well. */
export const subscriptionSteering: SubscriptionSteering = {
  async create(sandbox, wanted) {
    checkDetails(wanted.details);
    const subscription = await createSubscription(sandbox, wanted);
    return { subscription: knownOf(subscription), secret: subscription.secrets[0]?.value ?? '' };
  },
  list: async (sandbox, source) =>
    (await listSubscriptions(sandbox))
      .filter((each) => source === undefined || each.source === source)
      .map(knownOf),
  async change(sandbox, id, change) {
    checkDetails(change.details);
    const known = await subscriptionOf(sandbox, id);
    return known && knownOf(await changeSubscription(sandbox, id, change));
  },
  remove: deleteSubscription,
};
