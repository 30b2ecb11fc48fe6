/** Endpoints that list and clear the findings of a judge. */

import { Type } from 'typebox';
import type { Request } from '#http/exchange.js';
import { failures } from '#http/schemas/error-schema.js';
import type { Sandbox } from '#state/state.js';
import { type Endpoint, endpoint } from '../endpoint.js';
import { forgetFindings, type Rule, readFindings, readOutcomes } from './findings.js';
import { verdictSchema } from './verdict.js';

const text = Type.String();
const { rule, level, outcome, section, decidedBy } = verdictSchema.properties;

const findingsSchema = Type.Object(
  {
    findings: Type.Array(
      Type.Object(
        {
          rule,
          level,
          outcome,
          section,
          sent: text,
          right: text,
          decidedBy,
          requestId: text,
          at: Type.String({ format: 'date-time' }),
        },
        { title: 'ClientFinding' },
      ),
    ),
    rules: Type.Array(Type.Object({ rule: text, level, outcome })),
  },
  { title: 'ClientFindings' },
);

export interface FindingsOf {
  readonly path: string;
  readonly judge: string;
  readonly rules: readonly Pick<Rule, 'name' | 'level'>[];
  /** In messages, such as `MCP clients`. */
  readonly clients: string;
  /** Says what else is cleared. */
  readonly clears?: string;
  /** Left out of the API description. */
  readonly isHidden?: true;
  /** Throws 403 for the shared sandbox. */
  readonly sandboxOf: (request: Request) => Sandbox;
  readonly onClear?: (sandbox: Sandbox) => Promise<void>;
}

export function findingsEndpoints(of: FindingsOf): readonly Endpoint[] {
  const { path, judge, rules, clients, clears, isHidden, sandboxOf, onClear } = of;
  const hidden = isHidden && { hide: true };
  return [
    endpoint('GET', path, {
      ...hidden,
      summary: `List what ${clients} did wrong`,
      description: 'A rule that no request was about is not-reached.',
      responses: { 200: findingsSchema, ...failures(403) },
      async handle(request) {
        const sandbox = sandboxOf(request);
        const found = await readFindings(sandbox, judge);
        const findings = found.map(({ verdict, sent, atMs }) => ({
          rule: verdict.rule,
          level: verdict.level,
          outcome: verdict.outcome,
          section: verdict.section,
          sent,
          right: verdict.hint,
          ...(verdict.decidedBy !== undefined && { decidedBy: verdict.decidedBy }),
          requestId: verdict.evidence[0] ?? '',
          at: new Date(atMs).toISOString(),
        }));
        return { findings, rules: await readOutcomes(sandbox, judge, rules) };
      },
    }),
    endpoint('DELETE', path, {
      ...hidden,
      summary: `Clear the findings about ${clients}`,
      ...(clears && { description: clears }),
      responses: { 204: Type.Null(), ...failures(403) },
      async handle(request, reply) {
        const sandbox = sandboxOf(request);
        await forgetFindings(sandbox, judge);
        await onClear?.(sandbox);
        return reply.code(204).send();
      },
    }),
  ];
}
