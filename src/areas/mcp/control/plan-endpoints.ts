/** The test plan, and its runs. */

import { Type } from 'typebox';
import type { Request } from '../../../http/exchange.js';
import { failures } from '../../../http/schemas/error-schema.js';
import { oneOf } from '../../../kit/describe/value-schemas.js';
import { type Endpoint, endpoint } from '../../../kit/endpoint.js';
import type { IssuerSteering } from '../../../kit/offers/issuer.js';
import { addressesPath, runsPath } from '../exchange/protect.js';
import { clientRules } from '../judge/all-rules.js';
import {
  caseOf,
  isOfLogin,
  isOneOf,
  type MisbehaviourName,
  namesWith,
} from '../misbehaviour/misbehaviours.js';
import {
  beginRun,
  changeStep,
  observedIn,
  outcomeOf,
  outcomes,
  type Run,
  reportedOutcomes,
  runSpace,
  type Step,
  unknownRun,
} from '../misbehaviour/runs.js';
import type { McpParts } from '../model/parts.js';
import { oldPaths } from '../model/session.js';
import { rightStep } from './metadata-endpoint.js';

const text = Type.String();

const entrySchema = Type.Object(
  {
    name: text,
    kind: oneOf(['misbehaviour', 'rule']),
    what: text,
    rightClient: text,
    section: Type.String({ description: 'Section of the specification.' }),
    countsAsAccepted: Type.Optional(text),
  },
  { title: 'McpTest' },
);

const stepSchema = Type.Object(
  {
    name: text,
    url: Type.Optional(Type.String({ description: 'Address of the MCP server for this step.' })),
    outcome: oneOf(outcomes),
    observed: Type.Optional(oneOf(outcomes)),
    reported: Type.Optional(oneOf(reportedOutcomes)),
    evidence: Type.String({ description: 'Why.' }),
  },
  { title: 'McpTestStep' },
);

const readPlan = (names: readonly MisbehaviourName[]) =>
  endpoint('GET', '/mcp/test-plan', {
    summary: 'List MCP misbehaviours, and rules for clients',
    description: 'Each misbehaviour is a value of ?misbehave= and of PUT /api/sandbox/mcp.',
    responses: { 200: Type.Array(entrySchema) },
    handle: () => [
      ...names.map((name) => {
        const { what, rightClient, section, acceptedBy } = caseOf(name);
        const { counts: countsAsAccepted } = acceptedBy;
        return { name, kind: 'misbehaviour', what, rightClient, section, countsAsAccepted };
      }),
      ...clientRules.map(({ name, what, right: rightClient, section }) => ({
        ...{ name, kind: 'rule', what, rightClient, section },
      })),
    ],
  });

export function planEndpoints(parts: McpParts): readonly Endpoint[] {
  const { issuer } = parts.offered;
  const names = namesWith(issuer);
  return [
    readPlan(names),
    endpoint('POST', runsPath, {
      summary: 'Start a run of the MCP test plan',
      description: 'Creates an address for each misbehaviour. A run is stored for a day.',
      responses: { 201: Type.Array(stepSchema) },
      responseHeaders: { 201: { Location: text } },
      async handle({ sandbox, baseUrl }, reply) {
        const issuerRun = await issuer?.beginRun(sandbox);
        const run = await beginRun(sandbox, issuerRun);
        const steps = names.map((name) => ({
          name,
          url: stepUrl(baseUrl, run, name),
          outcome: 'not-reached',
          evidence: notReached,
        }));
        return reply.code(201).header('location', `${baseUrl}${runsPath}/${run}`).send(steps);
      },
    }),
    endpoint('GET', `${runsPath}/:run`, {
      summary: 'Show how an MCP client handled each misbehaviour',
      params: { run: text },
      responses: { 200: Type.Array(stepSchema), ...failures(404) },
      async handle(request) {
        const run = await request.sandbox.read(runSpace, request.params.run);
        if (run === undefined) throw unknownRun();
        return Promise.all(names.map((name) => describe(issuer, request, run, name)));
      },
    }),
    endpoint('PUT', `${runsPath}/:run/:name`, {
      summary: 'Report what an MCP client did',
      description: 'Overrides what the server inferred, and not what it saw.',
      params: { run: text, name: text },
      body: Type.Object({ outcome: oneOf(reportedOutcomes) }, { additionalProperties: false }),
      responses: { 200: stepSchema, ...failures(400, 404, 413, 415) },
      async handle(request) {
        const { run: id, name } = request.params;
        const reported = request.body.outcome;
        if (!isOneOf(names, name)) throw unknownRun();
        await changeStep(request.sandbox, { run: id, name }, (step, nowMs) => ({
          ...step,
          reported,
          metAtMs: step.metAtMs ?? nowMs,
        }));
        const run = await request.sandbox.read(runSpace, id);
        if (run === undefined) throw unknownRun();
        return describe(issuer, request, run, name);
      },
    }),
  ];
}

const notReached = 'The client did not get so far.';

/** The transport of 2024-11-05 has its own address. */
function stepUrl(baseUrl: string, run: string, name: MisbehaviourName): string {
  if (caseOf(name).endpoint === undefined) return `${baseUrl}${addressesPath}/${run}/${name}`;
  return `${baseUrl}${oldPaths.events}?misbehave=${name}&run=${run}`;
}

async function describe(
  login: IssuerSteering | undefined,
  { sandbox }: Pick<Request, 'sandbox'>,
  run: Run,
  name: MisbehaviourName,
) {
  const step = run.steps[name] ?? {};
  const { acceptedBy, issuer = rightStep, resource } = caseOf(name);
  if (login !== undefined && isOfLogin(name) && run.issuerRun !== undefined) {
    const seen = await login.outcomeOf(sandbox, run.issuerRun, issuer);
    const isAccepted = seen === 'accepted' || (resource !== undefined && seen !== 'not-reached');
    if (isAccepted) return { name, outcome: 'accepted', evidence: acceptedBy.counts };
  }
  const outcome = outcomeOf(step, acceptedBy);
  const observed = observedIn(step, acceptedBy);
  const { reported } = step;
  const evidence = evidenceOf(step, { outcome, observed, how: acceptedBy.counts });
  return { name, outcome, observed, reported, evidence };
}

function evidenceOf(
  { acceptedBy, reported }: Step,
  { outcome, observed, how }: Readonly<Record<'outcome' | 'observed' | 'how', string>>,
): string {
  if (observed === 'not-reached') return notReached;
  if (reported !== undefined && outcome === reported && observed !== reported) {
    return 'The client reported it.';
  }
  if (acceptedBy !== undefined) return `Request ${acceptedBy}: ${how}.`;
  if (observed === 'unclear') return `Only the report of the client decides: ${how}.`;
  return reported === undefined ? 'The client did not accept it.' : 'The client reported it.';
}
