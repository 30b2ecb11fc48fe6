/** Makes responses wrong. */

import { isObject, type JsonObject } from '../../../base/json-object.js';
import type { Request } from '../../../http/exchange.js';
import { HttpError } from '../../../http/http-error.js';
import { ruleAbout } from '../judge/input-rules.js';
import { readerOf, sessionKey } from '../judge/memory.js';
import { noteRule } from '../judge/watch.js';
import { codes, RpcError } from '../messages/rpc-error.js';
import { statelessRevision } from '../revisions/revision.js';
import { canaryUrl } from './canary.js';
import type { Misbehaviour } from './choose-misbehaviour.js';
import { type MisbehaviourName, ruleOf } from './misbehaviours.js';
import { changeStep, type Step } from './runs.js';
import { type ListReading, wrongTool } from './wrong-tools.js';

export interface Distorted {
  readonly request: Request;
  readonly misbehaviour: Misbehaviour;
  readonly method: string;
  readonly params: JsonObject;
  readonly isStateless: boolean;
}

const unknownRevision = '2099-01-01';
const maxRetrySeconds = 2;

/** Whether a response to this method is wrong. */
export function isAbout({ misbehaviour, method, isStateless }: Distorted): boolean {
  const { methods, only } = ruleOf(misbehaviour.name);
  const isOfRevision = only === undefined || (only === 'stateless') === isStateless;
  return isOfRevision && methods.includes(method);
}

function note({ request, misbehaviour }: Distorted, more: (step: Step, nowMs: number) => Step) {
  return changeStep(request.sandbox, misbehaviour, (step, nowMs) =>
    more({ ...step, metAtMs: step.metAtMs ?? nowMs, count: (step.count ?? 0) + 1 }, nowMs),
  );
}

const unsupported = (
  code: number,
  status: number,
  data?: { readonly supported: readonly string[]; readonly requested: unknown },
) => new RpcError(code, 'Unsupported protocol version', data, status);

const oldRevision = '2024-10-07';

/** Throws the failures of some misbehaviours instead of a response. */
export async function failInstead(distorted: Distorted | undefined): Promise<void> {
  if (distorted === undefined || !isAbout(distorted)) return;
  const failure = failures[distorted.misbehaviour.name];
  if (failure !== undefined) await failure(distorted);
}

const failures: Partial<Record<MisbehaviourName, (given: Distorted) => Promise<void>>> = {
  async 'too-many-requests'(given) {
    const seconds = 1 + Math.floor(Math.random() * maxRetrySeconds);
    const step = await note(given, (each, nowMs) =>
      (each.count ?? 0) % 2 === 1 ? { ...each, notBeforeMs: nowMs + 1000 * seconds } : each,
    );
    if ((step?.count ?? 0) % 2 === 0) return;
    throw new HttpError(429, `Too many requests. Wait ${seconds} s.`, {
      headers: { 'retry-after': String(seconds) },
    });
  },
  async 'session-gone'(given) {
    const session = sessionKey(given.request.headers['mcp-session-id']);
    await note(given, (step) => ({ ...step, session }));
    throw new RpcError(codes.invalidRequest, 'There is no such session.', undefined, 404);
  },
  async 'header-mismatch'(given) {
    await note(given, (step) => step);
    throw new RpcError(
      codes.headerMismatch,
      'Header mismatch: Mcp-Name is another name.',
      undefined,
      400,
    );
  },
  async 'version-error-2026-07-28'(given) {
    await note(given, (step) => step);
    const requested = given.isStateless ? statelessRevision : given.params.protocolVersion;
    throw unsupported(codes.unsupportedVersion, 400, { supported: [unknownRevision], requested });
  },
  async 'version-error-2025-11-25'(given) {
    await note(given, (step) => step);
    const { protocolVersion: requested } = given.params;
    throw unsupported(codes.invalidParams, 400, { supported: [oldRevision], requested });
  },
  async 'version-error-2025-06-18'(given) {
    await note(given, (step) => step);
    throw new RpcError(codes.invalidRequest, 'Unsupported MCP-Protocol-Version.', undefined, 400);
  },
  async 'version-error-2024-11-05'(given) {
    await note(given, (step) => step);
    throw unsupported(codes.invalidParams, 400);
  },
};

/** Returns the wrong message; the same one if only its way is wrong. */
export async function distortMessage(given: Distorted, message: JsonObject): Promise<JsonObject> {
  if (!isAbout(given) || !isObject(message.result)) return message;
  const { name } = given.misbehaviour;
  if (failures[name] !== undefined) return message;
  const reader = readerOf(given.request.headers);
  const step = await note(given, (each) => ({ ...each, reader: each.reader ?? reader }));
  const met = ruleAbout(name);
  // With a single token, there is no other to use the list with.
  const isAlone = name === 'private-list' && step?.reader === reader;
  if (met !== undefined && !isAlone) await noteRule(given.request, met);
  const canary = canaryUrl(given.request, given.misbehaviour);
  const result = distortResult(given, message.result, { canary, count: step?.count ?? 1, reader });
  const id = name === 'unknown-id' ? `${message.id}-unknown` : message.id;
  return { ...message, id, result };
}

function distortResult(
  { misbehaviour: { name }, params, isStateless }: Distorted,
  result: JsonObject,
  reading: ListReading,
): JsonObject {
  const { canary } = reading;
  const tool = wrongTool(name, reading);
  if (tool !== undefined && Array.isArray(result.tools)) {
    const isFresh = name === 'changing-list' || name === 'private-list';
    return {
      ...result,
      tools: [...result.tools, tool],
      ...(isFresh && { ttlMs: 60_000, cacheScope: 'private' }),
    };
  }
  if (name === 'endless-cursor') return { ...result, nextCursor: endlessCursor(params) };
  if (name === 'unknown-result-type') return { ...result, resultType: 'later' };
  if (name === 'version-error-2025-03-26') return { ...result, protocolVersion: oldRevision };
  if (name === 'version-unknown') return { ...result, protocolVersion: unknownRevision };
  if (name === 'url-elicitation' && isStateless) {
    const inputRequests = { open: { method: 'elicitation/create', params: urlForm(canary) } };
    return { resultType: 'input_required', inputRequests, _meta: result._meta };
  }
  return result;
}

const urlForm = (url: string): JsonObject => ({
  mode: 'url',
  elicitationId: 'canary',
  url,
  message: 'Open this page.',
});

const endless = /^endless-(\d{1,6})$/;

function endlessCursor({ cursor }: JsonObject): string {
  return `endless-${pageOf(cursor) + 1}`;
}

/** Returns the page of an endless cursor; 0 for the first. */
export function pageOf(cursor: unknown): number {
  return Number(endless.exec(String(cursor))?.[1] ?? 0);
}

/** Removes an endless cursor, which the list does not know. */
export function withoutEndless(params: JsonObject): JsonObject {
  if (pageOf(params.cursor) === 0) return params;
  const { cursor: _, ...others } = params;
  return others;
}

const updated = {
  jsonrpc: '2.0',
  method: 'notifications/resources/updated',
  params: { uri: 'practice://books/99' },
};

const progress = (progressToken: unknown, value: number) => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken, progress: value, total: 100 },
});

/** How a wrong response is sent: as events, or as a body. `undefined` sends it as usual. */
export interface Wire {
  readonly events?: readonly JsonObject[];
  readonly end?: 'cut' | 'never';
  readonly body?: string;
  readonly type?: string;
}

export function wireOf(given: Distorted, message: JsonObject): Wire | undefined {
  if (!isAbout(given) || !isObject(message.result)) return undefined;
  const { progressToken = 'none' } = (given.params._meta ?? {}) as JsonObject;
  switch (given.misbehaviour.name) {
    case 'response-twice':
      return { events: [message, message] };
    case 'unexpected-batch':
      return { body: JSON.stringify([message]), type: 'application/json; charset=utf-8' };
    case 'html-response':
      return { body: '<!doctype html><title>Sign in</title>', type: 'text/html; charset=utf-8' };
    case 'cut-stream':
      return { events: [message], end: 'cut' };
    case 'endless-stream':
      return { events: [], end: 'never' };
    case 'unsubscribed-update':
      return { events: [updated, message] };
    case 'decreasing-progress':
      return { events: [progress(progressToken, 50), progress(progressToken, 20), message] };
    case 'url-elicitation': {
      if (given.isStateless) return undefined;
      const params = urlForm(canaryUrl(given.request, given.misbehaviour));
      const request = { jsonrpc: '2.0', id: 'wrong-1', method: 'elicitation/create', params };
      return { events: [request, message] };
    }
    default:
      return undefined;
  }
}
