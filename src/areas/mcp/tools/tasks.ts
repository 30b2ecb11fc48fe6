/**
 * Tasks (the extension io.modelcontextprotocol/tasks). A task is a stored plan; its status follows
 * from the clock of the sandbox, so nothing runs in the background.
 */

import { randomUUID } from 'node:crypto';
import { isObject, type JsonObject } from '#base/json-object.js';
import type { Space } from '#state/state.js';
import { codes, invalidParams, RpcError } from '../messages/rpc-error.js';
import type { InputRequests } from '../model/ask.js';
import type { Call } from '../model/call.js';
import { findTool } from './all-tools.js';
import type { TaskPlan } from './tool.js';

export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** By the clock of the sandbox. */
const ttlMs = 60 * 60 * 1000;
const pollIntervalMs = 500;

interface StoredTask {
  readonly tool: string;
  readonly args: JsonObject;
  readonly inputs: JsonObject;
  readonly principal: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly cancelledAtMs?: number;
}

export const taskSpace: Space<StoredTask> = { name: 'mcp-tasks', maxKeys: 100 };

export function supportsTasks({ client }: Call): boolean {
  const { extensions } = client.capabilities;
  return isObject(extensions) && isObject(extensions[tasksExtension]);
}

export function requireTasks(call: Call): void {
  if (supportsTasks(call)) return;
  throw new RpcError(
    codes.missingCapability,
    `This request needs a client with the extension ${tasksExtension}.`,
    { requiredCapabilities: { extensions: { [tasksExtension]: {} } } },
    400,
  );
}

export async function createTask(
  call: Call,
  name: string,
  plan: TaskPlan,
  args: JsonObject,
  inputs: JsonObject,
): Promise<JsonObject> {
  const taskId = randomUUID();
  const stored = await call.sandbox.update(taskSpace, taskId, (_none, nowMs) => {
    const value: StoredTask = {
      tool: name,
      args,
      inputs,
      principal: call.client.principal,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    };
    return { value, expiresAtMs: nowMs + ttlMs, result: value };
  });
  const isReady = pendingInputs(plan, args, inputs) === undefined;
  const status = isReady ? 'working' : 'input_required';
  return { resultType: 'task', ...headOf(taskId, stored, status, stored.updatedAtMs) };
}

/** Returns the requests for input without a response; `undefined` if there is none. */
function pendingInputs(plan: TaskPlan, args: JsonObject, inputs: JsonObject) {
  const wanted = plan.inputs?.(args) ?? {};
  const missing = Object.entries(wanted).filter(([key]) => inputs[key] === undefined);
  return missing.length === 0 ? undefined : (Object.fromEntries(missing) as InputRequests);
}

function headOf(taskId: string, stored: StoredTask, status: string, updatedAtMs: number) {
  return {
    taskId,
    status,
    createdAt: new Date(stored.createdAtMs).toISOString(),
    lastUpdatedAt: new Date(updatedAtMs).toISOString(),
    ttlMs,
    pollIntervalMs,
  };
}

interface Found {
  readonly taskId: string;
  readonly stored: StoredTask;
  readonly plan: TaskPlan;
}

async function findTask(call: Call): Promise<Found> {
  const { taskId } = call.params;
  if (typeof taskId !== 'string') throw invalidParams('taskId must be a string.');
  const stored = await call.sandbox.read(taskSpace, taskId);
  const tool = stored && (await findTool(call.sandbox, stored.tool));
  if (tool?.task === undefined || stored?.principal !== call.client.principal) {
    throw invalidParams(`Unknown task: ${taskId}`);
  }
  return { taskId, stored, plan: tool.task };
}

/** Work begins with the last input. Returns `undefined` while input is missing. */
function endOf({ stored: { args, inputs, updatedAtMs }, plan }: Found): number | undefined {
  const isReady = pendingInputs(plan, args, inputs) === undefined;
  return isReady ? updatedAtMs + plan.durationMs(args) : undefined;
}

export async function getTask(call: Call): Promise<JsonObject> {
  requireTasks(call);
  const found = await findTask(call);
  return describeTask(found, await call.sandbox.now());
}

function describeTask(found: Found, nowMs: number): JsonObject {
  const { taskId, stored, plan } = found;
  const { args, inputs, cancelledAtMs, updatedAtMs } = stored;
  const head = (status: string, atMs: number) => headOf(taskId, stored, status, atMs);
  if (cancelledAtMs !== undefined) return head('cancelled', cancelledAtMs);
  const endMs = endOf(found);
  if (endMs === undefined) {
    return {
      ...head('input_required', updatedAtMs),
      inputRequests: pendingInputs(plan, args, inputs),
    };
  }
  if (nowMs < endMs) return head('working', updatedAtMs);
  try {
    const result = { resultType: 'complete', ...plan.finish(args, inputs) };
    return { ...head('completed', endMs), result };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { ...head('failed', endMs), error: { code: error.code, message: error.message } };
  }
}

/** Accepts responses to requests for input; other keys are ignored. */
export async function updateTask(call: Call): Promise<JsonObject> {
  requireTasks(call);
  const { inputResponses } = call.params;
  if (!isObject(inputResponses)) throw invalidParams('inputResponses must be an object.');
  const { taskId, plan } = await findTask(call);
  await call.sandbox.update(taskSpace, taskId, (stored, nowMs) => {
    if (stored === undefined) return { value: undefined, result: undefined };
    const expiresAtMs = stored.createdAtMs + ttlMs;
    const pending = pendingInputs(plan, stored.args, stored.inputs);
    if (pending === undefined || stored.cancelledAtMs !== undefined) {
      return { value: stored, expiresAtMs, result: undefined };
    }
    const received = Object.entries(inputResponses).filter(([key]) => Object.hasOwn(pending, key));
    const inputs = { ...stored.inputs, ...Object.fromEntries(received) };
    return { value: { ...stored, inputs, updatedAtMs: nowMs }, expiresAtMs, result: undefined };
  });
  return {};
}

/** Cancels a task, unless it has ended. */
export async function cancelTask(call: Call): Promise<JsonObject> {
  requireTasks(call);
  const { taskId, plan } = await findTask(call);
  await call.sandbox.update(taskSpace, taskId, (stored, nowMs) => {
    if (stored === undefined) return { value: undefined, result: undefined };
    const endMs = endOf({ taskId, stored, plan });
    const isOver = stored.cancelledAtMs !== undefined || (endMs !== undefined && nowMs >= endMs);
    const value = isOver ? stored : { ...stored, cancelledAtMs: nowMs };
    return { value, expiresAtMs: stored.createdAtMs + ttlMs, result: undefined };
  });
  return {};
}
