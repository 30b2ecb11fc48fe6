/** The test plan, and its runs. */

import { Type } from 'typebox';
import { oneOf } from '#kit/describe/value-schemas.js';
import type { Endpoint } from '#kit/endpoint.js';
import type { IssuerSteering } from '#kit/offers/issuer.js';
import { type RunStep, testPlanEndpoints } from '#kit/verdict/test-plan.js';
import { addressesPath, planPath } from '../exchange/protect.js';
import { clientRules } from '../judge/all-rules.js';
import { caseOf, type MisbehaviourName, namesWith } from '../misbehaviour/misbehaviours.js';
import { mcpRuns, outcomes, type Run, reportedOutcomes, type Step } from '../misbehaviour/runs.js';
import type { McpParts } from '../model/parts.js';
import { oldPaths } from '../model/session.js';
import { judgeStep, notReached } from './judge-step.js';

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

function entriesOf(names: readonly MisbehaviourName[]): readonly object[] {
  return [
    ...names.map((name) => {
      const { what, rightClient, section, acceptedBy } = caseOf(name);
      const { counts: countsAsAccepted } = acceptedBy;
      return { name, kind: 'misbehaviour', what, rightClient, section, countsAsAccepted };
    }),
    ...clientRules.map(({ name, what, right: rightClient, section }) => ({
      ...{ name, kind: 'rule', what, rightClient, section },
    })),
  ];
}

export function planEndpoints({ offered: { issuer } }: McpParts): readonly Endpoint[] {
  const names = namesWith(issuer);
  return testPlanEndpoints({
    path: planPath,
    texts: {
      list: {
        summary: 'List MCP misbehaviours, and rules for clients',
        description: 'Each misbehaviour is a value of ?misbehave= and of PUT /api/sandbox/mcp.',
      },
      start: {
        summary: 'Start a run of the MCP test plan',
        description: 'Creates an address for each misbehaviour. A run is stored for a day.',
      },
      read: { summary: 'Show how an MCP client handled each misbehaviour' },
      report: {
        summary: 'Report what an MCP client did',
        description: 'Overrides what the server inferred, and not what it saw.',
      },
    },
    list: { schema: Type.Array(entrySchema), entries: entriesOf(names) },
    cases: names,
    runs: mcpRuns,
    begin: async (sandbox) => issuer && { issuerRun: await issuer.beginRun(sandbox) },
    reported: reportedOutcomes,
    note: ({ metAtMs }, nowMs) => ({ metAtMs: metAtMs ?? nowMs }),
    step: { schema: stepSchema, describe: (at) => describe(issuer, at) },
  });
}

/** The transport of 2024-11-05 has its own address. */
function stepUrl(baseUrl: string, run: string, name: MisbehaviourName): string {
  if (caseOf(name).endpoint === undefined) return `${baseUrl}${addressesPath}/${run}/${name}`;
  return `${baseUrl}${oldPaths.events}?misbehave=${name}&run=${run}`;
}

async function describe(
  login: IssuerSteering | undefined,
  { run, name, runId, request: { baseUrl, sandbox } }: RunStep<Step, MisbehaviourName, Run>,
) {
  if (run === undefined) {
    const url = stepUrl(baseUrl, runId, name);
    return { name, url, outcome: 'not-reached', evidence: notReached };
  }
  const { isCertain: _isCertain, ...judged } = await judgeStep(login, sandbox, run, name);
  return { name, ...judged };
}
