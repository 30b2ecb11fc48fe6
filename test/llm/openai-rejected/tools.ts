/** Wrong tools of chat completions. */

import { chatTool, type Rejected } from './rejected.js';

const strict = (parameters: object) => [chatTool({ strict: true, parameters })];

export const wrongTools: readonly Rejected[] = [
  {
    title: 'deprecated functions',
    change: { functions: [{ name: 'f' }] },
    param: 'functions',
    code: 'unsupported_parameter',
    message: "Unsupported parameter: 'functions'. Use 'tools'.",
  },
  {
    title: 'a deprecated choice of a function',
    change: { function_call: 'auto' },
    param: 'function_call',
    code: 'unsupported_parameter',
    message: "Unsupported parameter: 'function_call'. Use 'tool_choice'.",
  },
  {
    title: 'a web search',
    change: { web_search_options: {} },
    param: 'web_search_options',
    code: 'unsupported_parameter',
    message: "Unsupported parameter: 'web_search_options'. This model searches nothing.",
  },
  {
    title: 'tools of a wrong type',
    change: { tools: {} },
    param: 'tools',
    code: 'invalid_type',
    message: "Invalid type for 'tools': use an array instead of an object.",
  },
  {
    title: '129 tools',
    change: { tools: Array.from({ length: 129 }, () => chatTool()) },
    param: 'tools',
    code: 'array_above_max_length',
    message: "Invalid 'tools': use at most 128 items.",
  },
  {
    title: 'a custom tool',
    change: { tools: [{ type: 'custom', custom: { name: 'f' } }] },
    param: 'tools[0].type',
    code: 'invalid_value',
    message: "Invalid value 'custom' for 'tools[0].type': use 'function'.",
  },
  {
    title: 'a tool without a type',
    change: { tools: [{ function: { name: 'f' } }] },
    param: 'tools[0].type',
    code: 'missing_required_parameter',
    message: "Parameter 'tools[0].type' is required.",
  },
  {
    title: 'a tool without a name',
    change: { tools: [{ type: 'function', function: {} }] },
    param: 'tools[0].function.name',
    code: 'missing_required_parameter',
    message: "Parameter 'tools[0].function.name' is required.",
  },
  {
    title: 'a tool name with a space',
    change: { tools: [chatTool({ name: 'get weather' })] },
    param: 'tools[0].function.name',
    code: 'invalid_value',
    message: "Invalid 'tools[0].function.name': it must match ^[a-zA-Z0-9_-]+$.",
  },
  {
    title: 'a tool name of 65 letters',
    change: { tools: [chatTool({ name: 'a'.repeat(65) })] },
    param: 'tools[0].function.name',
    code: 'string_above_max_length',
    message: "Invalid 'tools[0].function.name': use at most 64 characters.",
  },
  {
    title: 'a tool in the flat form',
    change: { tools: [{ type: 'function', name: 'f' }] },
    param: 'tools[0].function',
    code: 'missing_required_parameter',
    message: "Parameter 'tools[0].function' is required.",
  },
  {
    title: 'parameters of a wrong type',
    change: { tools: [chatTool({ parameters: 'x' })] },
    param: 'tools[0].function.parameters',
    code: 'invalid_type',
    message: "Invalid type for 'tools[0].function.parameters': use an object instead of a string.",
  },
  {
    title: 'parameters that are no object',
    change: { tools: [chatTool({ parameters: { type: 'string' } })] },
    param: 'tools[0].function.parameters',
    code: 'invalid_function_parameters',
    message: "Invalid schema 'tools[0].function.parameters': its type must be 'object'.",
  },
  {
    title: 'parameters with an unknown type',
    change: {
      tools: [
        chatTool(),
        chatTool({ parameters: { type: 'object', properties: { city: { type: 'text' } } } }),
      ],
    },
    param: 'tools[1].function.parameters',
    code: 'invalid_function_parameters',
    message:
      "Invalid schema 'tools[1].function.parameters': properties.city.type is not a JSON Schema type: use null, boolean, integer, number, string, array, object, or a list of them.",
  },
  {
    title: 'parameters with a hostile pattern',
    change: {
      tools: [
        chatTool({
          parameters: { type: 'object', properties: { a: { type: 'string', pattern: '(a+)+$' } } },
        }),
      ],
    },
    param: 'tools[0].function.parameters',
    code: 'invalid_function_parameters',
    message:
      "Invalid schema 'tools[0].function.parameters': properties.a.pattern must not repeat a repetition, such as (a+)+, which can run forever.",
  },
  {
    title: 'parameters with a malformed reference',
    change: {
      tools: [chatTool({ parameters: { type: 'object', properties: { a: { $ref: '#/%' } } } })],
    },
    param: 'tools[0].function.parameters',
    code: 'invalid_function_parameters',
    message:
      'Invalid schema \'tools[0].function.parameters\': properties.a.$ref has "%" at character 3: two hexadecimal digits must follow %, as in %25 for %.',
  },
  {
    title: 'parameters with many Unicode classes',
    change: {
      tools: [
        chatTool({
          parameters: {
            type: 'object',
            properties: Object.fromEntries(
              Array.from({ length: 9 }, (_, n) => [
                `p${n}`,
                { pattern: `[${'\\p{L}'.repeat(150)}]${n}` },
              ]),
            ),
          },
        }),
      ],
    },
    param: 'tools[0].function.parameters',
    code: 'invalid_function_parameters',
    message:
      "Invalid schema 'tools[0].function.parameters': the schemas together have more than 2000 parts; each keyword, list item and name is one, a pattern more.",
  },
  {
    title: 'strict parameters that allow others',
    change: { tools: strict({ type: 'object', properties: {} }) },
    param: 'tools[0].function.parameters',
    code: 'invalid_function_parameters',
    message:
      "Invalid schema 'tools[0].function.parameters': strict schemas need additionalProperties false.",
  },
  {
    title: 'strict parameters with an optional one',
    change: {
      tools: strict({
        type: 'object',
        properties: { city: { type: 'string' } },
        required: [],
        additionalProperties: false,
      }),
    },
    param: 'tools[0].function.parameters',
    code: 'invalid_function_parameters',
    message:
      "Invalid schema 'tools[0].function.parameters': strict schemas require every property; add 'city' to required.",
  },
  {
    title: 'strict parameters with a loose object inside',
    change: {
      tools: strict({
        type: 'object',
        properties: { place: { type: 'object', properties: {} } },
        required: ['place'],
        additionalProperties: false,
      }),
    },
    param: 'tools[0].function.parameters',
    code: 'invalid_function_parameters',
    message:
      "Invalid schema 'tools[0].function.parameters': strict schemas need additionalProperties false at properties.place.",
  },
  {
    title: 'a tool choice without tools',
    change: { tool_choice: 'auto' },
    param: 'tool_choice',
    code: null,
    message: "'tool_choice' needs 'tools'.",
  },
  {
    title: 'parallel calls without tools',
    change: { parallel_tool_calls: false },
    param: 'parallel_tool_calls',
    code: null,
    message: "'parallel_tool_calls' needs 'tools'.",
  },
  {
    title: 'an unknown tool choice',
    change: { tools: [chatTool()], tool_choice: 'any' },
    param: 'tool_choice',
    code: 'invalid_value',
    message: "Invalid value 'any' for 'tool_choice': use 'auto', 'none', 'required'.",
  },
  {
    title: 'a choice of an absent tool',
    change: { tools: [chatTool()], tool_choice: { type: 'function', function: { name: 'news' } } },
    param: 'tool_choice',
    code: null,
    message: "Tool choice 'news' is not in 'tools'.",
  },
  {
    title: 'an absent tool among the allowed',
    change: {
      tools: [chatTool()],
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'news' } }] },
      },
    },
    param: 'tool_choice',
    code: null,
    message: "Tool choice 'news' is not in 'tools'.",
  },
  {
    title: 'a custom tool choice',
    change: { tools: [chatTool()], tool_choice: { type: 'custom', custom: { name: 'x' } } },
    param: 'tool_choice.type',
    code: 'invalid_value',
    message: "Invalid value 'custom' for 'tool_choice.type': use 'function', 'allowed_tools'.",
  },
];
