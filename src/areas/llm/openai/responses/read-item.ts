/** Items of the input of a response. */

import type { JsonObject } from '#base/json-object.js';
import { array, byMember, memberOf, object, record } from '#kit/input/fields/parts.js';
import {
  absent,
  described,
  either,
  type Field,
  mapped,
  nullable,
  optional,
  type Reader,
  titled,
} from '#kit/input/fields/reader.js';
import { anything, choice, text } from '#kit/input/fields/values.js';
import type { Turn } from '../../messages/conversation.js';
import { type MistakeOptions, mistake } from '../../messages/mistake.js';
import { imageUrl, shortId, textOrParts, toolName } from '../read/common.js';
import { responseTools, type ToolList } from '../read/response-tools.js';

/** An item, and the turn that it adds to the conversation. */
export interface InputItem {
  /** With all members except an absent id. */
  readonly item: JsonObject;
  readonly turn?: Turn;
  /** Id of the stored item that it refers to. */
  readonly reference?: Field;
  readonly reasoning?: ReplayedReasoning;
  /** Tools that it adds to the tools of the request. */
  readonly added?: ToolList;
}

/** Reasoning that a client sends back. */
export interface ReplayedReasoning {
  readonly path: string;
  readonly id: string | undefined;
  readonly summary: readonly { readonly text: string }[];
  readonly encrypted: string | undefined;
}

const status = nullable(choice(['in_progress', 'completed', 'incomplete']));
const id = nullable(shortId);
const cut = optional(object({ mode: choice(['explicit']) }));

const inputText = object({ type: anything, text: text(), prompt_cache_breakpoint: cut });
// The SDK's helpers add what they have parsed, here and in calls; it is not stored.
const outputText = object({
  type: anything,
  text: text(),
  annotations: optional(anything),
  logprobs: optional(anything),
  parsed: optional(anything),
});
const inputImage = object({
  type: anything,
  image_url: imageUrl,
  file_id: absent("Use 'image_url'."),
  detail: optional(choice(['low', 'high', 'auto', 'original'])),
  prompt_cache_breakpoint: cut,
});
const refusal = object({ type: anything, refusal: text() });

const input = byMember('type', {
  input_text: mapped(inputText, (part) => part.text),
  input_image: mapped(inputImage, () => ''),
});
const output = byMember('type', {
  output_text: mapped(outputText, (part) => part.text),
  refusal: mapped(refusal, (part) => part.refusal),
  input_text: mapped(inputText, (part) => part.text),
});

function messageOf(content: Reader<string>) {
  return object({
    type: described(anything, nullable(choice(['message'])).schema),
    id,
    role: anything,
    content: textOrParts(content),
    status,
    phase: nullable(choice(['commentary', 'final_answer'])),
  });
}

function messageReader(role: Turn['role'], part: Reader<string>): Reader<InputItem> {
  return mapped(messageOf(part), ({ content: text }, { value }): InputItem => {
    return { turn: { role, text }, item: fillMessage(value as JsonObject) };
  });
}

/** Writes content as a list of parts. */
function fillMessage(item: JsonObject): JsonObject {
  const isOutput = item.role === 'assistant';
  const type = isOutput ? 'output_text' : 'input_text';
  const part = { type, text: item.content, ...(isOutput && { annotations: [] }) };
  const { content: given } = item;
  const content = Array.isArray(given) ? given.map(withoutParsed) : [part];
  return { type: 'message', status: 'completed', ...item, content };
}

function withoutParsed(given: JsonObject): JsonObject {
  const { parsed: _, parsed_arguments: _arguments, ...others } = given;
  return others;
}

const message = byMember('role', {
  user: messageReader('user', input),
  system: messageReader('system', input),
  developer: messageReader('system', input),
  assistant: messageReader('assistant', output),
});

const functionCall = object({
  type: anything,
  id,
  call_id: shortId,
  name: toolName,
  arguments: text(),
  status,
  caller: optional(anything),
  namespace: optional(text()),
  parsed_arguments: optional(anything),
});

const functionOutput = object({
  type: anything,
  id,
  call_id: shortId,
  output: textOrParts(input),
  status,
  caller: optional(anything),
});

const summary = object({ type: choice(['summary_text']), text: text() });
const content = object({ type: choice(['reasoning_text']), text: text() });

const reasoning = object({
  type: anything,
  id,
  summary: array(summary, { max: 100 }),
  content: nullable(array(content, { max: 0 })),
  encrypted_content: nullable(text()),
  status,
});

/** A call of a tool whose input is a text. */
const customCall = object({
  ...{ type: anything, id, call_id: shortId, name: toolName, input: text(), status },
  namespace: optional(text()),
  caller: optional(anything),
});
const customOutput = object({ type: anything, id, call_id: shortId, output: textOrParts(input) });

const shellCall = object({ type: anything, id, call_id: shortId, action: record, status });
/** The type of OpenAI has the id of the call as its own. */
const shellOutput = object({ type: anything, id: shortId, output: text(), status });

const searchCall = object({
  type: anything,
  id,
  status: nullable(text()),
  action: optional(record),
});

const additionalTools = object({
  ...{ type: anything, id, role: choice(['developer']), tools: responseTools },
});

const callTurn = (own: string, name: string, given: unknown): Turn => ({
  role: 'assistant',
  text: '',
  calls: [{ id: own, name, arguments: JSON.stringify(given) }],
});

const resultTurn = (own: string, output: string): Turn => ({
  role: 'tool',
  text: '',
  results: [{ id: own, text: output }],
});

const reference = object({ type: anything, id: shortId });

const others = {
  function_call: mapped(functionCall, (call, { value }): InputItem => {
    const calls = [{ id: call.call_id, name: call.name, arguments: call.arguments }];
    const item = { status: 'completed', ...withoutParsed(value as JsonObject) };
    return { item, turn: { role: 'assistant', text: '', calls } };
  }),
  function_call_output: mapped(functionOutput, (result, { value }): InputItem => {
    const results = [{ id: result.call_id, text: result.output }];
    const item = { status: 'completed', ...(value as JsonObject) };
    return { item, turn: { role: 'tool', text: '', results } };
  }),
  reasoning: mapped(reasoning, (read, { path, value }): InputItem => {
    const { id: own, summary: texts, encrypted_content: encrypted } = read;
    return { item: value as JsonObject, reasoning: { path, id: own, summary: texts, encrypted } };
  }),
  custom_tool_call: mapped(
    customCall,
    ({ call_id: own, name, input: given }, { value }): InputItem => {
      return { item: value as JsonObject, turn: callTurn(own, name, given) };
    },
  ),
  custom_tool_call_output: mapped(
    customOutput,
    ({ call_id: own, output: result }, { value }): InputItem => {
      return { item: value as JsonObject, turn: resultTurn(own, result) };
    },
  ),
  local_shell_call: mapped(shellCall, ({ call_id: own, action }, { value }): InputItem => {
    return { item: value as JsonObject, turn: callTurn(own, 'local_shell', action) };
  }),
  local_shell_call_output: mapped(
    shellOutput,
    ({ id: own, output: result }, { value }): InputItem => {
      return { item: value as JsonObject, turn: resultTurn(own, result) };
    },
  ),
  web_search_call: mapped(searchCall, (_call, { value }): InputItem => {
    return { item: value as JsonObject, turn: { role: 'assistant', text: '' } };
  }),
  additional_tools: mapped(additionalTools, ({ tools }, { path, value }): InputItem => {
    return { item: value as JsonObject, added: { path: `${path}.tools`, tools } };
  }),
  item_reference: mapped(
    reference,
    (_item, field): InputItem => ({
      item: field.value as JsonObject,
      reference: memberOf(field, 'id'),
    }),
  ),
} as const;

const byType = byMember('type', { message, ...others });

/** Messages need no type. */
export const inputItem = either([message, byMember('type', others)], (field): InputItem => {
  const { type } = record(field);
  return type === undefined || type === null ? message(field) : byType(field);
});

const maxItems = 2048;
const items = array(titled('LlmInputItem', inputItem), { min: 1, max: maxItems });

/** Reads a text, which is a message of the user, or items. */
export const inputItems = either<readonly InputItem[]>([text(), items], (field) => {
  if (typeof field.value !== 'string') return items(field);
  return [message({ ...field, value: { role: 'user', content: field.value } })];
});

export function unknownItem(
  { value }: Pick<Field, 'value'>,
  options: Pick<MistakeOptions, 'rule' | 'decidedBy'> = {},
): Error {
  const message = `Item with id '${String(value)}' not found; was 'store' false?`;
  return mistake(404, message, { param: 'input', code: null, ...options });
}
