/** Observes the requests of a sandbox, and records what they say about the rules. */

import { hash } from 'node:crypto';
import type { Request } from '#http/exchange.js';
import { type Observation, recordObservations } from '#kit/verdict/findings.js';
import { noteWhenSent } from '#kit/verdict/handover.js';
import { ignoringOutages } from '#kit/verdict/ignoring-outages.js';
import { type Space, sharedSandboxName } from '#state/state.js';
import type { Form } from '../wire/form.js';
import { judgeName, type RuleName, ruleNamed } from './rules.js';

/** A request that moves money or reads an intent. */
interface Seen {
  readonly of: string;
  readonly key: string | null;
  readonly requestId: string;
  readonly atMs: number;
  readonly isLost?: true;
}

const seenSpace: Space<readonly Seen[]> = { name: 'payments-seen', maxKeys: 1 };
const seenKey = 'all';

/** Newest requests that the judge compares with. */
const maxSeen = 50;

const pollingMs = 60_000;
const pollingReads = 10;

/** Operations that move money each time they run. */
const moving = ['payment_intent.create', 'refund.create', 'invoice.pay', 'subscription.create'];

export interface Judged {
  readonly name: string;
  readonly form: Form;
  readonly idempotencyKey: string | null;
  readonly isPublishable: boolean;
}

type Checks = Partial<Record<RuleName, boolean>>;

/** Judges a request before it runs. */
export async function judgeRequest(request: Request, judged: Judged): Promise<void> {
  if (request.sandbox.name === sharedSandboxName) return;
  await ignoringOutages(async () => {
    const { name } = judged;
    const ofKinds = [...moving, 'payment_intent.retrieve'];
    const relation = ofKinds.includes(name) ? await compare(request, judged) : {};
    await record(request, { ...checkRequest(request, judged), ...relation });
  });
}

function checkRequest({ headers }: Request, { name, form, isPublishable }: Judged): Checks {
  const amount = form.get('amount');
  const isFromPage = headers.origin !== undefined && headers['sec-fetch-site'] !== undefined;
  return {
    'secret-key-on-server': isPublishable || !isFromPage,
    ...(typeof amount === 'string' && { 'whole-amounts': !/^-?\d+[.,]\d+$/.test(amount) }),
    ...(takesMethod(name) && { 'no-card-numbers': isPublishable || !hasCardNumber(form) }),
  };
}

const takesMethod = (name: string): boolean =>
  /^(?:(?:payment_method|token)\.create|(?:payment|setup)_intent\.(?:create|confirm))$/.test(name);

function hasCardNumber(form: Form): boolean {
  const data = form.get('payment_method_data');
  const card = (data instanceof Map ? data : form).get('card');
  return card instanceof Map && card.has('number');
}

/** Compares with the earlier requests, and remembers this one. */
async function compare(
  request: Request,
  { name, form, idempotencyKey: key }: Judged,
): Promise<Checks> {
  const of = hash('sha256', JSON.stringify([name, request.url, entriesOf(form)]), 'base64url');
  const { sandbox, id: requestId } = request;
  const earlier = await sandbox.update(seenSpace, seenKey, (seen = [], atMs) => {
    const alike = seen.filter((each) => each.of === of);
    const value = [...seen, { of, key, requestId, atMs }].slice(-maxSeen);
    return { value, result: { alike, atMs } };
  });
  await noteWhenSent(request, async (isSent) => {
    if (!isSent) await markLost(request);
  });
  const { alike, atMs } = earlier;
  if (!moving.includes(name)) {
    const recent = alike.filter((each) => atMs - each.atMs < pollingMs);
    return { 'events-not-polling': recent.length < pollingReads };
  }
  const lost = alike.filter(({ isLost }) => isLost);
  if (lost.length === 0) return {};
  return { 'one-key-per-payment': lost.every((each) => each.key !== null && each.key === key) };
}

/** Returns the members of a form without card numbers. */
const entriesOf = (form: Form): unknown[] =>
  [...form].map(([name, value]) => [
    name,
    typeof value === 'string' ? value : name === 'card' ? 'card' : entriesOf(value),
  ]);

/** Notes that the client did not get the response to a request. */
export async function markLost({ sandbox, id }: Request): Promise<void> {
  await ignoringOutages(() =>
    sandbox.update(seenSpace, seenKey, (seen: readonly Seen[] = []) => ({
      value: seen.map((each) =>
        each.requestId === id ? { ...each, isLost: true as const } : each,
      ),
      result: undefined,
    })),
  );
}

/** Judges the confirmation of an intent that still waits for its customer. */
export async function judgeConfirmation(request: Request, isWaiting: boolean): Promise<void> {
  if (request.sandbox.name === sharedSandboxName) return;
  await ignoringOutages(() => record(request, { 'waits-for-action': !isWaiting }));
}

async function record(request: Request, checks: Checks): Promise<void> {
  const observations = Object.entries(checks).map(([name, isKept]): Observation => {
    const rule = ruleNamed(name as RuleName);
    return isKept ? { rule } : { rule, sent: `${request.method} ${request.route?.path ?? ''}` };
  });
  if (observations.length === 0) return;
  await recordObservations(request.sandbox, judgeName, request.id, observations);
}

export const forgetSeen = async ({ sandbox }: Pick<Request, 'sandbox'>): Promise<void> => {
  await sandbox.update(seenSpace, seenKey, () => ({ value: undefined, result: undefined }));
};
