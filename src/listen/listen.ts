/** The command `practice-api listen`, which runs on the machine of the receiver. */

import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Delivery, Follower, type Following, subscriptionsPath } from './follow.js';
import { type ForwardResult, printable } from './forward.js';
import type { Options } from './options.js';
import { ServiceClient } from './service-client.js';
import { count, junitOf, tableOf, verifyReceiver } from './verify.js';

export interface Output {
  readonly print: (line: string) => void;
  /** Prints what is no result. */
  readonly say: (line: string) => void;
}

/** Subscriptions that are created later are found after this time. */
const lookAgainMs = 1000;
/** Time for reports after a signal. */
const leavingMs = 10_000;

/** Runs until `stopping` is aborted, or the test of the receiver is over. Returns the exit status. */
export async function listen(
  options: Options,
  stopping: AbortSignal,
  { print, say }: Output,
): Promise<number> {
  const client = new ServiceClient(options);
  const leave = new AbortController();
  stopping.addEventListener('abort', () => setTimeout(() => leave.abort(), leavingMs).unref());
  const { forward, timeoutMs, verify, events, json, junit } = options;
  const onResult = (delivery: Delivery, result: ForwardResult) =>
    print(json ? jsonLine(delivery, result) : textLine(delivery, result));
  const following = { client, forward, timeoutMs, stopping, leaving: leave.signal, onResult, say };
  if (!verify && events === undefined) return followAll(following);
  const own = await subscribe(client, options, say);
  try {
    if (!verify) {
      await new Follower(following, own).run();
      return 0;
    }
    const steps = await verifyReceiver(options, following, own);
    if (junit !== undefined) writeFileSync(junit, junitOf(steps));
    print(json ? JSON.stringify(steps, null, 2) : tableOf(steps));
    return count(steps, 'broken') > 0 ? 1 : 0;
  } finally {
    leave.abort();
    await client.call('DELETE', `${subscriptionsPath}/${own}`).catch(() => {});
  }
}

async function subscribe(
  client: ServiceClient,
  { events, type = 'order.paid', scheme, secret, verify }: Options,
  say: (line: string) => void,
): Promise<string> {
  const { json } = await client.demand('POST', subscriptionsPath, {
    ...{ events: events ?? [type], scheme, secret, name: 'practice-api listen' },
    ...(verify && { retrySchedule: [] }),
  });
  if (secret === undefined) say(`The secret is ${json.secret}`);
  return json.id;
}

/** Follows every subscription of the sandbox, and those that are created later. */
async function followAll(following: Following): Promise<number> {
  const { client, stopping, say } = following;
  const known = new Map<string, Promise<void>>();
  let { json } = await client.demand('GET', subscriptionsPath);
  if (json.length === 0) say('The sandbox has no subscription yet; waiting for one.');
  while (!stopping.aborted) {
    for (const { id } of json as readonly { readonly id: string }[]) {
      if (known.has(id)) continue;
      known.set(
        id,
        new Follower(following, id).run().finally(() => known.delete(id)),
      );
    }
    await sleep(lookAgainMs, undefined, { signal: stopping }).catch(() => {});
    const next = await client.call('GET', subscriptionsPath).catch(() => undefined);
    json = next?.status === 200 ? next.json : [];
  }
  await Promise.all(known.values());
  return 0;
}

const repetitions: Readonly<Record<string, string>> = {
  unreported: 'again: may have arrived',
  redelivery: 'again: redelivered',
  replay: 'again: replayed',
};

function notesOf({ attempt, repeated }: Delivery, { status, headers, error }: ForwardResult) {
  const isRedirect = status !== null && status >= 300 && status < 400;
  return [
    ...(error === undefined ? [] : [error]),
    ...(attempt > 1 && repeated === undefined ? [`attempt ${attempt}`] : []),
    ...(repeated === undefined ? [] : [repetitions[repeated] ?? 'again']),
    ...(isRedirect ? [`redirect not followed: ${headers?.location ?? 'without Location'}`] : []),
  ];
}

/** With usual types and notes, at most 80 columns. */
function textLine(delivery: Delivery, result: ForwardResult): string {
  const time = new Date().toTimeString().slice(0, 8);
  const type = printable(delivery.event.type).padEnd(24);
  const ms = `${result.ms} ms`.padStart(8);
  return `${time}  ${type}  ${result.status ?? '---'}  ${ms}  ${notesOf(delivery, result).join('; ')}`.trimEnd();
}

function jsonLine(delivery: Delivery, result: ForwardResult): string {
  const { id, event, attempt, repeated } = delivery;
  const { headers: _headers, ...back } = result;
  const notes = notesOf(delivery, result);
  const time = new Date().toISOString();
  return JSON.stringify({ time, delivery: id, event, attempt, repeated, ...back, notes });
}
