/**
 * Requests input from the client: a model's response, a form, or the roots. A capability is a function
 * of the responses so far, so it runs again when they arrive.
 */

import { isObject, type JsonObject } from '#base/json-object.js';
import { CheckBudget } from '#json-schema/budget.js';
import { findFaults } from '#json-schema/find-faults.js';
import { statelessRevision } from '../messages/revision.js';
import { codes, RpcError } from '../messages/rpc-error.js';
import type { Call } from './call.js';

export interface InputRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: JsonObject;
}

export type InputRequests = Readonly<Record<string, InputRequest>>;

/** Thrown if the client has not sent all of the input. */
export class NeedsInput extends Error {
  override readonly name = 'NeedsInput';
  readonly requests: InputRequests;
  readonly state: unknown;

  constructor(requests: InputRequests, state: unknown) {
    super('The call needs input from the client.');
    this.requests = requests;
    this.state = state;
  }
}

/** Capability of the client that a request for input needs. */
function neededFor({ method, params }: InputRequest): JsonObject {
  if (method === 'sampling/createMessage') return { sampling: {} };
  if (method === 'roots/list') return { roots: {} };
  return params.mode === 'url' ? { elicitation: { url: {} } } : { elicitation: {} };
}

export function isDeclared({ client: { capabilities } }: Call, request: InputRequest): boolean {
  const [[name = '', needed] = []] = Object.entries(neededFor(request));
  const declared = capabilities[name];
  if (!isObject(declared)) return false;
  const modes = Object.keys(needed as JsonObject);
  if (modes.length > 0) return modes.every((mode) => isObject(declared[mode]));
  // An empty object means forms.
  const isForm = name === 'elicitation' && Object.keys(declared).length > 0;
  return !isForm || isObject(declared.form) || !('url' in declared);
}

/** Throws an error with code -32021 that names the missing capabilities. */
export function requireCapabilities(call: Call, requests: InputRequests): void {
  const missing = Object.values(requests).filter((request) => !isDeclared(call, request));
  if (missing.length === 0) return;
  const requiredCapabilities = Object.assign({}, ...missing.map(neededFor));
  const names = Object.keys(requiredCapabilities).join(', ');
  throw new RpcError(
    codes.missingCapability,
    `This request needs client capabilities that were not declared: ${names}.`,
    { requiredCapabilities },
    400,
  );
}

/** Returns the responses by key; throws {@link NeedsInput} until all are valid. */
export function ask<Key extends string>(
  call: Call,
  requests: Readonly<Record<Key, InputRequest>>,
  state?: unknown,
): Readonly<Record<Key, JsonObject>> {
  const keys = Object.keys(requests) as Key[];
  const isComplete = keys.every((key) => isValid(requests[key], call.inputs[key]));
  if (isComplete) return call.inputs as Readonly<Record<Key, JsonObject>>;
  requireCapabilities(call, requests);
  throw new NeedsInput(requests, state);
}

const actions: readonly unknown[] = ['accept', 'decline', 'cancel'];

function isValid({ method, params }: InputRequest, response: unknown): boolean {
  if (!isObject(response)) return false;
  if (method === 'roots/list') return Array.isArray(response.roots);
  if (method === 'sampling/createMessage') {
    return typeof response.role === 'string' && response.content !== undefined;
  }
  if (!actions.includes(response.action)) return false;
  if (response.action !== 'accept' || params.mode === 'url') return true;
  const { content = {} } = response;
  return findFaults(params.requestedSchema, content, new CheckBudget()).isValid === true;
}

/** A form; `mode` exists since 2025-11-25, and is optional. */
export function form(message: string, properties: JsonObject, required = Object.keys(properties)) {
  return {
    method: 'elicitation/create',
    params: { message, requestedSchema: { type: 'object', properties, required } },
  } as const satisfies InputRequest;
}

export function sample(text: string, maxTokens: number) {
  return {
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens },
  } as const satisfies InputRequest;
}

export const listRoots = { method: 'roots/list', params: {} } as const satisfies InputRequest;

/** Returns the text of a model's response. */
export function textOf({ content }: JsonObject): string {
  const [first] = [content].flat() as unknown[];
  return isObject(first) && typeof first.text === 'string' ? first.text : '';
}

export function isStateless({ revision }: Pick<Call, 'revision'>): boolean {
  return revision === statelessRevision;
}
