/** Calls a tool, at once or as a task. */

import { isObject, type JsonObject } from '#base/json-object.js';
import { CheckBudget } from '#json-schema/budget.js';
import { findFaults } from '#json-schema/find-faults.js';
import { describeFaults } from '#kit/input/describe-faults.js';
import { codes, invalidParams, RpcError } from '../messages/rpc-error.js';
import { ask, isStateless } from '../model/ask.js';
import type { Call } from '../model/call.js';
import { findTool } from './all-tools.js';
import { createTask, requireTasks, supportsTasks } from './tasks.js';
import { errorResult, type Tool } from './tool.js';

export async function callTool(call: Call): Promise<JsonObject> {
  const { name, arguments: given = {} } = call.params;
  const tool = await findTool(call.sandbox, name);
  if (tool === undefined) throw invalidParams(`Unknown tool: ${name}`);
  if (!isObject(given)) throw invalidParams('arguments must be an object.');
  const fault = faultOf(tool, given);
  if (fault !== undefined) return rejectArguments(call, fault);
  try {
    return await run(tool, given, call);
  } catch (error) {
    // Clients of sessions show a model what is missing.
    const isMissing = error instanceof RpcError && error.code === codes.missingCapability;
    if (isMissing && !isStateless(call)) return errorResult(error.message);
    throw error;
  }
}

async function run(tool: Tool, args: JsonObject, call: Call): Promise<JsonObject> {
  const { task } = tool;
  if (task === undefined || !isStateless(call)) return tool.run(args, call);
  if (task.isRequired) requireTasks(call);
  if (!supportsTasks(call)) return tool.run(args, call);
  const inputs = task.asksInCall && task.inputs ? ask(call, task.inputs(args)) : {};
  return createTask(call, tool.name, task, args, inputs);
}

function faultOf({ inputSchema }: Tool, args: JsonObject): string | undefined {
  const found = findFaults(inputSchema, args, new CheckBudget());
  if (found.isValid === true) return undefined;
  if (found.isValid === undefined) return 'The arguments need too many checks.';
  return describeFaults(found.faults, 'body')
    .map(({ message }) => message)
    .join(' ');
}

/** Since 2025-11-25, a model should see faults of its arguments. */
function rejectArguments({ revision }: Call, fault: string): JsonObject {
  if (revision >= '2025-11-25') return errorResult(`Invalid arguments: ${fault}`);
  throw invalidParams(`Invalid arguments: ${fault}`);
}
