/** The options of `practice-api listen`. */

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { trimEndOf } from '#base/text/trim-characters.js';

export const usage = `Usage: practice-api listen --forward http://localhost:8000/hook [options]

Brings the deliveries of a sandbox to your receiver, and reports the responses. Follows no redirects.

  --forward URL      URL of the receiver
  --url URL          URL of the service [http://localhost:3000]
  --sandbox NAME     sandbox whose subscriptions are forwarded
  --key KEY          key of your account [SERVICE_KEY]
  --events LIST      subscribes to these events, such as todos.created,posts.*, until it ends
  --scheme NAME      standard-webhooks, stripe, github, shopify or slack [standard-webhooks]
  --secret TEXT      secret of that subscription [WEBHOOK_SECRET, or a random one, which it prints]
  --timeout SECONDS  how long a response may take [15]
  --json             prints JSON: a line for each delivery, or the result of the test
  --verify           tests the receiver: the exit status is 1 if a case is broken

With --verify:
  --type NAME        type of the events [order.paid]
  --data FILE        JSON object with the data of the events
  --cases LIST       only these cases
  --settle SECONDS   how long the receiver may write records at the end [2]
  --junit FILE       writes the result as JUnit XML

The exit status is 2 for wrong usage, without a connection, and after a signal during a test.`;

/** Wrong usage, or no connection. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const flags = {
  ...{ forward: text, url: text, sandbox: text, key: text, events: text, scheme: text },
  ...{ secret: text, timeout: text, type: text, data: text, cases: text, settle: text },
  ...{ junit: text, json: flag, verify: flag, help: { ...flag, short: 'h' } },
} as const;

const onlyToVerify = ['type', 'data', 'cases', 'settle', 'junit'] as const;
const maxSeconds = 600;

export type Options = NonNullable<ReturnType<typeof parseOptions>>;

/** Returns `undefined` if the usage is requested. Throws a UsageError. */
export function parseOptions(
  args: readonly string[],
  { SERVICE_KEY, WEBHOOK_SECRET }: Readonly<Record<string, string | undefined>>,
) {
  const values = valuesOf(args);
  if (values.help) return undefined;
  const { forward, verify, json, sandbox, events, type, junit } = values;
  const lone = verify ? undefined : onlyToVerify.find((each) => values[each] !== undefined);
  if (lone !== undefined) throw new UsageError(`--${lone} needs --verify.`);
  if (verify && events !== undefined) throw new UsageError('--verify has --type, not --events.');
  if (forward === undefined) throw new UsageError('--forward is missing.');
  return {
    ...{ verify, json, sandbox, type, junit, scheme: values.scheme ?? 'standard-webhooks' },
    forward: webUrl('forward', forward),
    url: trimEndOf(webUrl('url', values.url ?? 'http://localhost:3000').href, '/'),
    key: values.key ?? SERVICE_KEY,
    events: events?.split(','),
    secret: values.secret ?? WEBHOOK_SECRET,
    timeoutMs: milliseconds('timeout', values.timeout ?? '15'),
    data: values.data === undefined ? undefined : readData(values.data),
    cases: values.cases?.split(','),
    settleMs: milliseconds('settle', values.settle ?? '2'),
  };
}

function valuesOf(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, strict: true }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function webUrl(name: string, given: string): URL {
  if (/^https?:/.test(given) && URL.canParse(given)) return new URL(given);
  throw new UsageError(`--${name} must be a URL that begins with http:// or https://.`);
}

function milliseconds(name: string, given: string): number {
  const seconds = Number(given);
  if (given.trim() !== '' && seconds >= 0 && seconds <= maxSeconds) return seconds * 1000;
  throw new UsageError(`--${name} must be seconds from 0 to ${maxSeconds}.`);
}

function readData(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`--data cannot be read: ${(error as Error).message}`);
  }
}
