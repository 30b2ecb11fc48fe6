/** Options of a sandbox for its practice APIs. */

import { Type } from 'typebox';
import { failures } from '#http/schemas/error-schema.js';
import { endpoint } from '#kit/endpoint.js';
import { ownSandbox } from '#kit/sandbox/own-sandbox.js';
import { type Sandbox, type Space, sharedSandboxName } from '#state/state.js';

export interface Options {
  readonly keepWrites: boolean;
  readonly reqresKey: boolean;
  readonly rateLimits: boolean;
}

const defaults: Options = { keepWrites: false, reqresKey: false, rateLimits: false };
const optionsSpace: Space<Options> = { name: 'practice-api-options', maxKeys: 1 };
const key = 'all';

/** The shared sandbox has none. */
export async function optionsOf(sandbox: Sandbox): Promise<Options> {
  if (sandbox.name === sharedSandboxName) return defaults;
  return (await sandbox.read(optionsSpace, key)) ?? defaults;
}

const meanings = {
  keepWrites: 'Whether writes are kept where the original keeps nothing.',
  reqresKey: 'Whether ReqRes requires the header x-api-key.',
  rateLimits: 'Whether the rate limits of the originals apply.',
} as const;

const members = Object.entries(meanings) as [keyof Options, string][];
const schemaOf = (wrap: (schema: ReturnType<typeof Type.Boolean>) => object) =>
  Object.fromEntries(
    members.map(([name, description]) => [name, wrap(Type.Boolean({ description }))]),
  ) as Record<keyof Options, ReturnType<typeof Type.Boolean>>;

const shown = Type.Object(
  schemaOf((schema) => schema),
  { title: 'PracticeApiOptions' },
);
const changes = Type.Object(
  schemaOf((schema) => Type.Optional(schema)),
  { additionalProperties: false, minProperties: 1 },
);

const path = '/api/sandbox/practice-apis';
const what = 'Options of practice APIs can only be set in';

export const readOptions = endpoint('GET', path, {
  summary: 'Get the options of practice APIs in the sandbox',
  responses: { 200: shown },
  handle: ({ sandbox }) => optionsOf(sandbox),
  examples: { 'The default options': {} },
});

export const setOptions = endpoint('PUT', path, {
  summary: 'Set options of practice APIs in the sandbox',
  description: 'Options that are absent do not change. The shared sandbox gets 403.',
  before: (request) => void ownSandbox(request, what),
  body: changes,
  responses: { 200: shown, ...failures(403) },
  examples: {
    'Keep what is written': { headers: { 'X-Sandbox': 'my-suite' }, json: { keepWrites: true } },
    'Not a boolean': { headers: { 'X-Sandbox': 'my-suite' }, json: { keepWrites: 'yes' } },
  },
  async handle(request) {
    const given = request.body as Partial<Options>;
    return request.sandbox.update(optionsSpace, key, (before = defaults) => {
      const value = { ...before, ...given };
      return { value, result: value };
    });
  },
});
