/** The settings of the MCP server in a sandbox. */

import { Type } from 'typebox';
import type { Request } from '#http/exchange.js';
import { HttpError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { type Endpoint, endpoint } from '#kit/endpoint.js';
import { inSandbox } from '#kit/example.js';
import { ownSandbox } from '#kit/sandbox/own-sandbox.js';
import type { Sandbox } from '#state/state.js';
import { readSettings, writeSettings } from '../misbehaviour/choose-misbehaviour.js';
import { caseOf, isOneOf, namesWith } from '../misbehaviour/misbehaviours.js';
import type { McpParts } from '../model/parts.js';
import { runningIn } from '../model/running.js';
import { sessionSpace } from '../model/session.js';
import { taskSpace } from '../tools/tasks.js';

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

const sessionSchema = Type.Object(
  {
    client: Type.String({ description: 'Name and version that the client sent.' }),
    revision: Type.String(),
    initialized: Type.Boolean(),
    subscriptions: count,
    at: Type.String({ format: 'date-time' }),
  },
  { title: 'McpSession' },
);

const maxClientLength = 100;

export const sandboxOf = (request: Request) => ownSandbox(request, 'Settings of MCP need');

export function settingsEndpoints({ offered }: McpParts): readonly Endpoint[] {
  const names = namesWith(offered.issuer);
  return [
    endpoint('GET', '/api/sandbox/mcp', {
      summary: 'Get the state of the MCP server in the sandbox',
      responses: { 200: statusSchema, ...failures(403) },
      handle: (request) => describe(sandboxOf(request)),
    }),
    endpoint('GET', '/api/sandbox/mcp/sessions', {
      summary: 'List the MCP sessions of the sandbox',
      description: 'The newest first. Clients of revision 2026-07-28 have none.',
      responses: { 200: Type.Array(sessionSchema), ...failures(403) },
      handle: (request) => describeSessions(sandboxOf(request)),
    }),
    endpoint('PUT', '/api/sandbox/mcp', {
      summary: 'Set a misbehaviour of the MCP server',
      description: 'It lasts until the next PUT, or until the sandbox is reset.',
      before: (request) => void sandboxOf(request),
      body: Type.Object({ misbehave }, { additionalProperties: false }),
      responses: { 200: statusSchema, ...failures(400, 403, 413, 415) },
      examples: {
        'A misbehaviour': { ...inSandbox(), json: { misbehave: 'unknown-id' } },
        'Its end': { ...inSandbox(), json: { misbehave: null } },
        'An unknown one': { ...inSandbox(), json: { misbehave: 'maybe' } },
      },
      async handle(request) {
        const sandbox = sandboxOf(request);
        const { misbehave: name } = request.body;
        if (name !== null && !isOneOf(names, name)) {
          throw new HttpError(400, `misbehave must be null or one of ${names.join(', ')}.`);
        }
        const before = await readSettings(sandbox);
        const issuer = name === null ? undefined : caseOf(name).issuer;
        const former = before.misbehave === null ? undefined : caseOf(before.misbehave).issuer;
        if (issuer !== former) await offered.issuer?.misbehave(sandbox, issuer ?? null);
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

async function describeSessions(sandbox: Sandbox) {
  const sessions = (await sandbox.entries(sessionSpace)).map(([, session]) => session);
  return sessions
    .sort((left, right) => right.createdAtMs - left.createdAtMs)
    .map(({ client, revision, isInitialized, subscriptions, createdAtMs }) => ({
      client: [client?.name, client?.version].filter(isString).join(' ').slice(0, maxClientLength),
      revision,
      initialized: isInitialized,
      subscriptions: subscriptions.length,
      at: new Date(createdAtMs).toISOString(),
    }));
}

const isString = (value: unknown): value is string => typeof value === 'string';
