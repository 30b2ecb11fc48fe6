/** The settings of the MCP server in a sandbox. */

import { Type } from 'typebox';
import type { Request } from '../../../http/exchange.js';
import { HttpError } from '../../../http/http-error.js';
import { failures } from '../../../http/schemas/error-schema.js';
import { type Endpoint, endpoint } from '../../../kit/endpoint.js';
import { ownSandbox } from '../../../kit/sandbox/own-sandbox.js';
import type { Sandbox } from '../../../state/state.js';
import { readSettings, writeSettings } from '../misbehaviour/choose-misbehaviour.js';
import { isMisbehaviour, misbehaviourNames, ruleOf } from '../misbehaviour/misbehaviours.js';
import type { McpParts } from '../parts.js';
import { runningIn } from '../running.js';
import { sessionSpace } from '../sessions/session.js';
import { taskSpace } from '../tasks/tasks.js';

const misbehave = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'A misbehaviour of GET /mcp/test-plan; null turns it off.',
});
const count = Type.Integer({ minimum: 0 });

const statusSchema = Type.Object(
  {
    misbehave,
    sessions: count,
    streams: count,
    tasks: count,
    running: Type.Integer({ minimum: 0, description: 'Calls that have no response yet.' }),
  },
  { title: 'McpStatus' },
);

export const sandboxOf = (request: Request) => ownSandbox(request, 'Settings of MCP need');

export function settingsEndpoints({ services }: McpParts): readonly Endpoint[] {
  return [
    endpoint('GET', '/api/sandbox/mcp', {
      summary: 'Get the state of the MCP server in the sandbox',
      responses: { 200: statusSchema, ...failures(403) },
      handle: (request) => describe(sandboxOf(request)),
    }),
    endpoint('PUT', '/api/sandbox/mcp', {
      summary: 'Set a misbehaviour of the MCP server',
      description: 'It lasts until the next PUT, or until the sandbox is reset.',
      before: (request) => void sandboxOf(request),
      body: Type.Object({ misbehave }, { additionalProperties: false }),
      responses: { 200: statusSchema, ...failures(400, 403, 413, 415) },
      async handle(request) {
        const sandbox = sandboxOf(request);
        const { misbehave: name } = request.body;
        if (name !== null && !isMisbehaviour(name)) {
          throw new HttpError(
            400,
            `misbehave must be null or one of ${misbehaviourNames.join(', ')}.`,
          );
        }
        const before = await readSettings(sandbox);
        const issuer = name === null ? undefined : ruleOf(name).issuer;
        const former = before.misbehave === null ? undefined : ruleOf(before.misbehave).issuer;
        if (issuer !== former)
          await services.accessTokens.issuer.misbehave(sandbox, issuer ?? null);
        await writeSettings(sandbox, { misbehave: name });
        return describe(sandbox);
      },
    }),
  ];
}

async function describe(sandbox: Sandbox) {
  const { misbehave } = await readSettings(sandbox);
  return {
    misbehave,
    sessions: (await sandbox.entries(sessionSpace)).length,
    tasks: (await sandbox.entries(taskSpace)).length,
    ...(await runningIn(sandbox)),
  };
}
