/** Tools whose work becomes a task, for clients that support tasks. */

import type { JsonObject } from '#base/json-object.js';
import { isObject } from '#base/json-object.js';
import { codes, RpcError } from '../messages/rpc-error.js';
import { ask, form } from '../model/ask.js';
import { wait } from '../model/call.js';
import { argumentsOf, errorResult, type TaskPlan, type Tool, textResult } from './tool.js';

const string = { type: 'string' };

const contentIn = (inputs: JsonObject, key: string): JsonObject => {
  const response = inputs[key];
  const content = isObject(response) ? response.content : undefined;
  return isObject(content) ? content : {};
};

/** Runs the work of a task within the call. */
const inCall =
  ({ inputs, durationMs, finish }: TaskPlan): Tool['run'] =>
  async (args, call) => {
    const given = inputs === undefined ? {} : ask(call, inputs(args));
    await wait(call, durationMs(args));
    return finish(args, given);
  };

function taskTool(definition: Omit<Tool, 'run' | 'task'>, task: TaskPlan): Tool {
  return { ...definition, task, run: inCall(task) };
}

const maxSeconds = 300;
const jobMs = 1000;

export const taskTools: readonly Tool[] = [
  {
    name: 'greet',
    description: 'Greets a name at once, without a task.',
    inputSchema: argumentsOf({ name: string }),
    run: ({ name }) => textResult(`Hello, ${name}!`),
  },
  taskTool(
    {
      name: 'slow_compute',
      title: 'Compute slowly',
      description: 'Works for a number of seconds of the sandbox clock.',
      inputSchema: argumentsOf(
        { seconds: { type: 'number', minimum: 0, maximum: maxSeconds }, label: string },
        [],
      ),
    },
    {
      durationMs: ({ seconds = 1 }) => Number(seconds) * 1000,
      finish: ({ seconds = 1 }) => textResult(`Computed for ${seconds} s.`),
    },
  ),
  taskTool(
    {
      name: 'failing_job',
      description: 'Ends with an error result after a second; it needs support for tasks.',
      inputSchema: argumentsOf(),
    },
    { isRequired: true, durationMs: () => jobMs, finish: () => errorResult('The job has failed.') },
  ),
  taskTool(
    {
      name: 'protocol_error_job',
      description: 'Ends with a JSON-RPC error after a second.',
      inputSchema: argumentsOf(),
    },
    {
      durationMs: () => jobMs,
      finish() {
        throw new RpcError(codes.internal, 'The job ended with a JSON-RPC error.');
      },
    },
  ),
  taskTool(
    {
      name: 'confirm_delete',
      description: 'Requests a confirmation before it pretends to delete a file.',
      inputSchema: argumentsOf({ filename: string }),
    },
    {
      inputs: ({ filename }) => ({
        confirm: form(`Delete ${filename}?`, { confirm: { type: 'boolean' } }, []),
      }),
      durationMs: () => 0,
      finish: ({ filename }, inputs) =>
        contentIn(inputs, 'confirm').confirm === false
          ? textResult(`${filename} was kept.`)
          : textResult(`${filename} was deleted.`),
    },
  ),
  taskTool(
    {
      name: 'multi_input',
      description: 'Requests two inputs at once.',
      inputSchema: argumentsOf(),
    },
    {
      inputs: () => ({
        first: form('The first input.', { name: string, confirm: { type: 'boolean' } }, []),
        second: form('The second input.', { name: string, confirm: { type: 'boolean' } }, []),
      }),
      durationMs: () => 0,
      finish: (_args, inputs) => textResult(`Got ${Object.keys(inputs).sort().join(' and ')}.`),
    },
  ),
  taskTool(
    {
      name: 'test_tool_with_task',
      description: 'Requests a name in the call, and then continues as a task.',
      inputSchema: argumentsOf(),
    },
    {
      isRequired: true,
      asksInCall: true,
      inputs: () => ({ user_name: form('What is your name?', { name: string }) }),
      durationMs: () => jobMs,
      finish: (_args, inputs) => textResult(`Hello, ${contentIn(inputs, 'user_name').name}!`),
    },
  ),
];
