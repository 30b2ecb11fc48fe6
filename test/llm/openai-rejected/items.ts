/** Wrong input of responses. */

import { hello, type Rejected, user } from './rejected.js';

const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'Rain' });
const call = (id: string) => ({
  type: 'function_call',
  call_id: id,
  name: 'weather',
  arguments: '{}',
});

export const wrongItems: readonly Rejected[] = [
  {
    title: 'no input',
    change: { input: undefined },
    param: 'input',
    code: 'missing_required_parameter',
    message: "Parameter 'input' is required.",
  },
  {
    title: 'an empty input',
    change: { input: [] },
    param: 'input',
    code: 'empty_array',
    message: "Invalid 'input': it needs at least one item.",
  },
  {
    title: 'input of a wrong type',
    change: { input: 5 },
    param: 'input',
    code: 'invalid_type',
    message: "Invalid type for 'input': use an array instead of an integer.",
  },
  {
    title: 'an unknown type of item',
    change: { input: [{ type: 'video' }] },
    param: 'input[0].type',
    code: 'invalid_value',
    message:
      "Invalid value 'video' for 'input[0].type': use 'message', 'function_call', 'function_call_output', 'reasoning', 'custom_tool_call', 'custom_tool_call_output', 'local_shell_call', 'local_shell_call_output', 'web_search_call', 'additional_tools', 'item_reference'.",
  },
  {
    title: 'an unknown role of an item',
    change: { input: [{ role: 'tool', content: 'x' }] },
    param: 'input[0].role',
    code: 'invalid_value',
    message:
      "Invalid value 'tool' for 'input[0].role': use 'user', 'system', 'developer', 'assistant'.",
  },
  {
    title: 'a part of a chat',
    change: { input: [user([{ type: 'text', text: 'x' }])] },
    param: 'input[0].content[0].type',
    code: 'invalid_value',
    message:
      "Invalid value 'text' for 'input[0].content[0].type': use 'input_text', 'input_image'.",
  },
  {
    title: 'an output without a call',
    change: { input: [hello, output('a')] },
    param: 'input',
    code: null,
    message: "No function call waits for the output of 'a'.",
  },
  {
    title: 'a call without an output',
    change: { input: [hello, call('a')] },
    param: 'input',
    code: null,
    message: "The function call 'a' has no function_call_output.",
  },
  {
    title: 'a call twice',
    change: { input: [hello, call('a'), call('a'), output('a')] },
    param: 'input',
    code: null,
    message: "Duplicate call 'a' in the input.",
  },
  {
    title: 'an output without an id',
    change: { input: [{ type: 'function_call_output', output: 'x' }] },
    param: 'input[0].call_id',
    code: 'missing_required_parameter',
    message: "Parameter 'input[0].call_id' is required.",
  },
  {
    title: 'reasoning with content',
    change: {
      input: [
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [],
          content: [{ type: 'reasoning_text', text: 'x' }],
        },
      ],
    },
    param: 'input[0].content',
    code: 'array_above_max_length',
    message: "Invalid 'input[0].content': use at most 0 items.",
  },
  {
    title: 'a reference in the shared sandbox',
    change: { input: [{ type: 'item_reference', id: 'msg_1' }] },
    param: 'input[0].id',
    code: 'unsupported_value',
    message: 'Item references need your own sandbox: use /s/name/llm/openai/v1.',
  },
];
