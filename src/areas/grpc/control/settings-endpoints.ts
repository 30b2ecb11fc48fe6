/** Misbehaviours of the sandbox, and the findings of the judge. */

import { Type } from 'typebox';
import type { Request } from '#http/exchange.js';
import { fieldError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { type Endpoint, endpoint } from '#kit/endpoint.js';
import { inSandbox } from '#kit/example.js';
import { ownSandbox } from '#kit/sandbox/own-sandbox.js';
import { findingsEndpoints } from '#kit/verdict/findings-endpoints.js';
import { clientRules, judgeName } from '../judge/rules.js';
import { misbehaviours } from '../misbehaviour/cases.js';
import { noSettings, settingsKey, settingsSpace } from '../misbehaviour/choose.js';

const path = '/api/sandbox/grpc';
export const maxScriptCalls = 100;

const name = Type.Unsafe<string | null>({ type: ['string', 'null'] });

const settingsSchema = Type.Object(
  {
    misbehave: Type.Optional({ ...name, description: 'For each call; null turns it off.' }),
    script: Type.Optional(
      Type.Array(name, {
        maxItems: maxScriptCalls,
        description: 'For the next calls, one each; null is a right response.',
      }),
    ),
  },
  { title: 'GrpcSettings', additionalProperties: false },
);

const sandboxOf = (request: Request) => ownSandbox(request, 'Settings of gRPC need');

export const controlEndpoints: readonly Endpoint[] = [
  endpoint('GET', path, {
    summary: 'Get the misbehaviour of gRPC in the sandbox',
    responses: { 200: settingsSchema, ...failures(403) },
    handle: async (request) =>
      (await sandboxOf(request).read(settingsSpace, settingsKey)) ?? noSettings,
  }),
  endpoint('PUT', path, {
    summary: 'Set the misbehaviour of gRPC',
    description: 'Names are in GET /grpc/test-plan. It lasts until the next PUT.',
    before: (request) => void sandboxOf(request),
    body: settingsSchema,
    responses: { 200: settingsSchema, ...failures(400, 403, 413, 415) },
    examples: {
      'A misbehaviour': { ...inSandbox(), json: { misbehave: 'no-status' } },
      'Two failures': { ...inSandbox(), json: { script: ['trailers-only', 'trailers-only'] } },
      'An unknown one': { ...inSandbox(), json: { misbehave: 'maybe' } },
    },
    async handle(request) {
      const { misbehave = null, script = [] } = request.body;
      for (const each of [misbehave, ...script]) {
        if (each === null || misbehaviours.has(each)) continue;
        throw fieldError('misbehave', 'misbehave must be a name of GET /grpc/test-plan.');
      }
      const value = { misbehave, script };
      await sandboxOf(request).update(settingsSpace, settingsKey, () => ({
        value,
        result: undefined,
      }));
      return value;
    },
  }),
  ...findingsEndpoints({
    path: `${path}/findings`,
    judge: judgeName,
    rules: clientRules,
    clients: 'clients of gRPC',
    isHidden: true,
    sandboxOf,
  }),
];
