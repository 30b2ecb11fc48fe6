/** The test plan for receivers, its runs, and its judge. */

import { Type } from 'typebox';
import type { JsonObject } from '#base/json-object.js';
import { lazily } from '#base/lazily.js';
import type { Request } from '#http/exchange.js';
import type { DeliveryScheme } from '#kit/deliveries/schemes.js';
import { anyObject, text as described, oneOf } from '#kit/describe/value-schemas.js';
import { inSandbox } from '#kit/example.js';
import type { Judge } from '#kit/verdict/judge.js';
import { testPlanEndpoints } from '#kit/verdict/test-plan.js';
import { levelSchema, ruleOutcomes, verdictSchema } from '#kit/verdict/verdict.js';
import type { Sandbox } from '#state/state.js';
import { eventPattern, findSubscription } from '../model/subscriptions.js';
import { caseNames, receiverCases } from './cases.js';
import type { Written } from './judge-case.js';
import {
  findingOf,
  type Run,
  reportedOutcomes,
  runs,
  startRun,
  verdictOf,
  writtenIn,
} from './runs.js';

const path = '/api/webhooks/receiver-plan';
const text = Type.String();

const entrySchema = Type.Object(
  { name: text, what: text, rightReceiver: text, section: text, level: levelSchema },
  { title: 'ReceiverCase' },
);

const stepSchema = Type.Object(
  {
    name: text,
    level: levelSchema,
    outcome: oneOf(ruleOutcomes),
    observed: oneOf(ruleOutcomes),
    reported: Type.Optional(oneOf(ruleOutcomes)),
    evidence: described('The observed response.'),
    what: text,
    rightReceiver: text,
    decidedBy: Type.Optional(text),
    waits: Type.Boolean({ description: 'Whether deliveries of the case are to come.' }),
    verdict: verdictSchema,
  },
  { title: 'ReceiverTestStep' },
);

const inOwn = inSandbox('my-webhooks');

const usualType = 'order.paid';
const usualData = { amount: 1200, currency: 'eur' };

/** The records of the receiver, which are read once for all cases of a response. */
const writtenFor = new WeakMap<Request, () => Promise<ReadonlyMap<string, readonly Written[]>>>();

function writtenOnce(request: Request, run: Run) {
  const known = writtenFor.get(request) ?? lazily(() => writtenIn(request.sandbox, run));
  writtenFor.set(request, known);
  return known();
}

async function beginRun(sandbox: Sandbox, body: JsonObject, chosen: readonly string[]) {
  const {
    subscription: id = '',
    type,
    data = usualData,
  } = body as {
    readonly subscription?: string;
    readonly type?: string;
    readonly data?: JsonObject;
  };
  const subscription = await findSubscription(sandbox, id);
  const known = subscription.events.find((each) => !each.endsWith('*'));
  return {
    // A rejection is evidence only beside a right delivery that is accepted.
    cases: caseNames.filter((each) => each === 'valid' || chosen.includes(each)),
    subscription: subscription.id,
    scheme: subscription.scheme as DeliveryScheme,
    type: type ?? known ?? usualType,
    data,
  };
}

export const receiverPlan = testPlanEndpoints({
  path,
  parameter: 'case',
  texts: {
    list: {
      summary: 'List the cases of the test plan for receivers',
      description: 'Deliveries that are wrong or difficult, and what a right receiver does.',
    },
    start: {
      summary: 'Start a test of a receiver',
      description:
        'Its deliveries wait in the subscription, one case after the other. Take them to the receiver with practice-api listen, or a client that polls.',
    },
    read: {
      summary: 'Show what a receiver did in each case',
      description:
        'Whether work is done once shows if the receiver writes a record in the sandbox for each event, with the id of the event in a field.',
    },
    report: {
      summary: 'Report what only the test can know',
      description: 'Overrides what the service inferred, and not what it observed.',
    },
  },
  list: {
    schema: Type.Array(entrySchema),
    entries: caseNames.map((name) => {
      const { what, rightClient: rightReceiver, section, level } = receiverCases[name];
      return { name, what, rightReceiver, section, level };
    }),
  },
  cases: caseNames,
  hasChoice: true,
  input: {
    fields: {
      subscription: described('The id of the subscription whose receiver is tested.'),
      type: Type.Optional(
        Type.String({
          pattern: eventPattern,
          description: 'Default: the first type of the subscription, or order.paid.',
        }),
      ),
      data: Type.Optional(anyObject('Members of the object of each event.')),
    },
    first: { ...inOwn, json: { subscription: '{{subscription}}' } },
    others: { 'An unknown subscription': { ...inOwn, json: { subscription: 'none' } } },
  },
  runs,
  begin: beginRun,
  started: startRun,
  reported: reportedOutcomes,
  step: {
    schema: stepSchema,
    async describe({ name, step, request, run: stored }) {
      const run = stored as Run | undefined;
      const written = run === undefined ? new Map() : await writtenOnce(request, run);
      const finding = findingOf(name, run, written);
      const { outcome, observed, says: evidence, decidedBy } = finding;
      const { level, what, rightClient: rightReceiver } = receiverCases[name];
      return {
        ...{
          name,
          level,
          outcome,
          observed,
          reported: step.reported,
          evidence,
          what,
          rightReceiver,
        },
        ...(outcome === 'unclear' && decidedBy !== undefined && { decidedBy }),
        waits: finding.waits,
        verdict: verdictOf(name, finding),
      };
    },
  },
});

export const receiverJudge: Judge = {
  name: 'receivers',
  title: 'Webhook receivers',
  says: 'The newest test of a receiver: what it does with deliveries that are wrong or difficult.',
  guide: 'test-a-webhook-receiver',
  rules: caseNames.map((name) => {
    const { level, section, rightClient: hint } = receiverCases[name];
    return { rule: name, level, section, hint };
  }),
  plan: { path, urls: {} },
  async read(sandbox) {
    const newest = (await sandbox.entries(runs.space)).at(-1);
    if (newest === undefined) return { verdicts: [] };
    const [id, run] = newest;
    const written = await writtenIn(sandbox, run);
    const verdicts = caseNames.map((name) => {
      const finding = findingOf(name, run, written);
      return { ...verdictOf(name, finding), seen: finding.says };
    });
    return { run: id, verdicts };
  },
};
