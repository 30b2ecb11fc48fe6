/** The methods of the protocol, and the revisions that have them. */

import type { Awaitable } from '#base/awaitable.js';
import type { JsonObject } from '#base/json-object.js';
import { isSince, type Revision } from '../messages/revision.js';
import type { Call } from '../model/call.js';
import { pageOf } from '../model/pages.js';
import { complete } from '../prompts/complete.js';
import { definitionOf, getPrompt, promptsIn } from '../prompts/prompts.js';
import { allResources, readResource, templates } from '../resources/resources.js';
import { toolsIn } from '../tools/all-tools.js';
import { callTool } from '../tools/call-tool.js';
import { cancelTask, getTask, updateTask } from '../tools/tasks.js';
import type { Tool } from '../tools/tool.js';
import { capabilitiesOf, instructions } from './server.js';

interface Method {
  /** Absent: all revisions from `first` on. */
  readonly last?: Revision;
  readonly first?: Revision;
  /** Caching hints of a complete result, since 2026-07-28. */
  readonly caching?: { readonly ttlMs: number; readonly cacheScope: 'public' | 'private' };
  readonly handle: (call: Call) => Awaitable<JsonObject>;
}

const toolsPerPage = 100;
const perPage = 50;

const definition = ({
  run: _run,
  task: _task,
  needs: _needs,
  isWriting: _isWriting,
  ...tool
}: Tool): JsonObject => tool;

/** Lists depend on the sandbox, which belongs to its callers. */
const ofSandbox = { ttlMs: 5_000, cacheScope: 'private' } as const;
const ofService = { ttlMs: 300_000, cacheScope: 'public' } as const;
const unkept = { ttlMs: 0, cacheScope: 'private' } as const;

const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries<Method>({
    'server/discover': {
      first: '2026-07-28',
      caching: ofService,
      handle: ({ revision, supported }) => ({
        supportedVersions: [...supported].reverse(),
        capabilities: capabilitiesOf(revision),
        instructions,
      }),
    },
    ping: { last: '2025-11-25', handle: () => ({}) },
    'tools/list': {
      caching: ofSandbox,
      async handle(call) {
        const tools = await toolsIn(call.sandbox, call.parts.offered);
        return pageOf(call, tools.map(definition), toolsPerPage);
      },
    },
    'tools/call': { handle: callTool },
    'resources/list': {
      caching: ofSandbox,
      handle: async (call) => pageOf(call, await allResources(call), perPage),
    },
    'resources/templates/list': {
      caching: ofService,
      handle: (call) => pageOf(call, templates, perPage),
    },
    'resources/read': { caching: unkept, handle: readResource },
    'prompts/list': {
      caching: ofSandbox,
      async handle(call) {
        const prompts = await promptsIn(call.sandbox);
        return pageOf(call, prompts.map(definitionOf), perPage);
      },
    },
    'prompts/get': { handle: getPrompt },
    'completion/complete': { handle: complete },
    'tasks/get': { first: '2026-07-28', handle: getTask },
    'tasks/update': { first: '2026-07-28', handle: updateTask },
    'tasks/cancel': { first: '2026-07-28', handle: cancelTask },
  }),
);

/** Returns the method if the revision has it. */
export function findMethod(name: string, revision: Revision): Method | undefined {
  const method = methods.get(name);
  if (method === undefined) return undefined;
  const { first = '2024-11-05', last = '2026-07-28' } = method;
  return isSince(revision, first) && isSince(last, revision) ? method : undefined;
}
