/** The findings of the judge in a sandbox. */

import { Type } from 'typebox';
import { failures } from '../../../http/schemas/error-schema.js';
import { endpoint } from '../../../kit/endpoint.js';
import { forgetFindings, readFindings, readOutcomes } from '../../../kit/verdict/findings.js';
import { ruleOutcomes, verdictSchema } from '../../../kit/verdict/verdict.js';
import { clientRules, judgeName } from '../judge/all-rules.js';
import { forgetMessages, heardLog } from '../judge/watch.js';
import { sandboxOf } from './settings-endpoints.js';

const path = '/api/sandbox/mcp/findings';
const text = Type.String();
const { rule, section } = verdictSchema.properties;
const outcome = Type.Union(ruleOutcomes.map((each) => Type.Literal(each)));

const findingsSchema = Type.Object(
  {
    findings: Type.Array(
      Type.Object(
        {
          rule,
          section,
          sent: text,
          right: text,
          requestId: text,
          at: Type.String({ format: 'date-time' }),
        },
        { title: 'McpFinding' },
      ),
    ),
    rules: Type.Array(Type.Object({ rule: text, outcome })),
  },
  { title: 'McpFindings' },
);

const maxMessages = 200;

export const findingsEndpoints = [
  endpoint('GET', path, {
    summary: 'List what MCP clients did wrong',
    description: 'A rule that no request was about is not-reached.',
    responses: { 200: findingsSchema, ...failures(403) },
    async handle(request) {
      const sandbox = sandboxOf(request);
      const found = await readFindings(sandbox, judgeName);
      const findings = found.map(({ verdict, sent, atMs }) => ({
        rule: verdict.rule,
        section: verdict.section,
        sent,
        right: verdict.hint,
        requestId: verdict.evidence[0] ?? '',
        at: new Date(atMs).toISOString(),
      }));
      return { findings, rules: await readOutcomes(sandbox, judgeName, clientRules) };
    },
  }),
  endpoint('DELETE', path, {
    summary: 'Clear the findings about MCP clients',
    description: 'Also the messages.',
    responses: { 204: Type.Null(), ...failures(403) },
    async handle(request, reply) {
      const sandbox = sandboxOf(request);
      await forgetFindings(sandbox, judgeName);
      await forgetMessages(sandbox);
      return reply.code(204).send();
    },
  }),
  endpoint('GET', '/api/sandbox/mcp/messages', {
    summary: 'List the newest MCP messages of the sandbox',
    responses: {
      200: Type.Array(
        Type.Object(
          { from: text, what: text, requestId: text, at: Type.String({ format: 'date-time' }) },
          { title: 'McpHeard' },
        ),
      ),
      ...failures(403),
    },
    async handle(request) {
      const entries = await sandboxOf(request).log(heardLog, judgeName).newest(maxMessages);
      return entries.map(({ item: { atMs, ...heard } }) => ({
        ...heard,
        at: new Date(atMs).toISOString(),
      }));
    },
  }),
];
