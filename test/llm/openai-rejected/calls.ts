/** Wrong calls of tools in chat completions, and wrong results. */

import { hello, type Rejected } from './rejected.js';

const call = (id: string) => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: '{}' },
});
const calls = (...ids: readonly string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map(call),
});
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'Rain' });

export const wrongCalls: readonly Rejected[] = [
  {
    title: 'an assistant message without content',
    change: { messages: [hello, { role: 'assistant' }, hello] },
    param: 'messages[1].content',
    code: 'invalid_value',
    message: "Invalid 'messages[1].content': an assistant message needs content or tool_calls.",
  },
  {
    title: 'an empty list of calls',
    change: { messages: [hello, { role: 'assistant', content: 'x', tool_calls: [] }] },
    param: 'messages[1].tool_calls',
    code: 'empty_array',
    message: "Invalid 'messages[1].tool_calls': it needs at least one item.",
  },
  {
    title: 'a call without a function name',
    change: {
      messages: [
        hello,
        {
          role: 'assistant',
          tool_calls: [{ id: 'a', type: 'function', function: { arguments: '{}' } }],
        },
      ],
    },
    param: 'messages[1].tool_calls[0].function.name',
    code: 'missing_required_parameter',
    message: "Parameter 'messages[1].tool_calls[0].function.name' is required.",
  },
  {
    title: 'arguments as an object',
    change: {
      messages: [
        hello,
        {
          role: 'assistant',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: {} } }],
        },
      ],
    },
    param: 'messages[1].tool_calls[0].function.arguments',
    code: 'invalid_type',
    message:
      "Invalid type for 'messages[1].tool_calls[0].function.arguments': use a string instead of an object.",
  },
  {
    title: 'duplicate ids of calls',
    change: { messages: [hello, calls('a', 'a'), result('a')] },
    param: 'messages[1].tool_calls[1].id',
    code: 'invalid_value',
    message: "Duplicate 'messages[1].tool_calls[1].id': each call needs its own id.",
  },
  {
    title: 'a result without a call',
    change: { messages: [hello, result('a')] },
    param: 'messages.[1].role',
    code: null,
    message: "No call 'a' waits for the result in messages[1].",
  },
  {
    title: 'a second result of a call',
    change: { messages: [hello, calls('a'), result('a'), result('a')] },
    param: 'messages.[3].role',
    code: null,
    message: "No call 'a' waits for the result in messages[3].",
  },
  {
    title: 'a result after another message',
    change: { messages: [hello, calls('a'), hello, result('a')] },
    param: 'messages.[2].role',
    code: null,
    message: "The call 'a' has no result; add a tool message right after it.",
  },
  {
    title: 'a call without a result at the end',
    change: { messages: [hello, calls('a', 'b'), result('a')] },
    param: 'messages.[2].role',
    code: null,
    message: "The call 'b' has no result; add a tool message right after it.",
  },
  {
    title: 'a result without an id',
    change: { messages: [hello, calls('a'), { role: 'tool', content: 'x' }] },
    param: 'messages[2].tool_call_id',
    code: 'missing_required_parameter',
    message: "Parameter 'messages[2].tool_call_id' is required.",
  },
  {
    title: 'a deprecated function call',
    change: {
      messages: [
        hello,
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '' } },
      ],
    },
    param: 'messages[1].function_call',
    code: 'unsupported_parameter',
    message: "Unsupported parameter: 'messages[1].function_call'. Use 'tool_calls'.",
  },
];
