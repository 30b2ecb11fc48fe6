/** Messages of a chat. */

import { array, byMember, object } from '#kit/input/fields/parts.js';
import {
  absent,
  type Field,
  mapped,
  nullable,
  optional,
  titled,
  type ValueOf,
} from '#kit/input/fields/reader.js';
import { anything, choice, text } from '#kit/input/fields/values.js';
import type { ToolCall, Turn } from '../../messages/conversation.js';
import { imageUrl, shortId, textOrParts, toolName } from '../read/common.js';
import { invalid } from '../read/faults.js';

const maxMessages = 2048;
const maxCalls = 128;

const type = choice(['text', 'image_url', 'refusal']);
const breakpoint = optional(object({ mode: choice(['explicit']) }));

const textPart = object({ type, text: text(), prompt_cache_breakpoint: breakpoint });
const refusalPart = object({ type, refusal: text() });
const imagePart = object({
  type,
  image_url: object({ url: imageUrl, detail: optional(choice(['auto', 'low', 'high'])) }),
  prompt_cache_breakpoint: breakpoint,
});

const textOf = mapped(textPart, (part) => part.text);

const texts = textOrParts(byMember('type', { text: textOf }));

const userContent = textOrParts(
  byMember('type', { text: textOf, image_url: mapped(imagePart, () => '') }),
);

const assistantContent = textOrParts(
  byMember('type', { text: textOf, refusal: mapped(refusalPart, (part) => part.refusal) }),
);

const name = optional(text({ max: 64, pattern: /^[^\s<|\\/>]+$/ }));

const instruction = object({ role: anything, content: texts, name });
const userMessage = object({ role: anything, content: userContent, name });
const toolMessage = object({ role: anything, content: texts, tool_call_id: shortId, name });

const functionCall = object({
  id: shortId,
  type: anything,
  // The SDK's helpers for structured output add what they have parsed.
  function: object({ name: toolName, arguments: text(), parsed_arguments: optional(anything) }),
});

const call = mapped(
  functionCall,
  ({ id, function: called }): ToolCall => ({ id, name: called.name, arguments: called.arguments }),
);

const assistantMessage = object({
  role: anything,
  content: nullable(assistantContent),
  refusal: nullable(text()),
  name,
  tool_calls: optional(array(byMember('type', { function: call }), { min: 1, max: maxCalls })),
  audio: absent("Use 'content'."),
  function_call: absent("Use 'tool_calls'."),
  annotations: optional(anything),
  parsed: optional(anything),
});

const instructionTurn = mapped(
  instruction,
  ({ content }): Turn => ({ role: 'system', text: content }),
);

function assistantTurn(given: ValueOf<typeof assistantMessage>, field: Field): Turn {
  const { content, refusal, tool_calls: calls } = given;
  if (content === undefined && refusal === undefined && calls === undefined) {
    const path = `${field.path}.content`;
    const message = `Invalid '${path}': an assistant message needs content or tool_calls.`;
    throw invalid(path, 'invalid_value', message);
  }
  rejectDuplicates(calls ?? [], field.path);
  return { role: 'assistant', text: content ?? refusal ?? '', ...(calls && { calls }) };
}

function rejectDuplicates(calls: readonly ToolCall[], message: string): void {
  const seen = new Set<string>();
  for (const [index, { id }] of calls.entries()) {
    const path = `${message}.tool_calls[${index}].id`;
    if (seen.has(id)) {
      throw invalid(path, 'invalid_value', `Duplicate '${path}': each call needs its own id.`);
    }
    seen.add(id);
  }
}

const message = byMember('role', {
  developer: instructionTurn,
  system: instructionTurn,
  user: mapped(userMessage, ({ content }): Turn => ({ role: 'user', text: content })),
  assistant: mapped(assistantMessage, assistantTurn),
  tool: mapped(
    toolMessage,
    ({ tool_call_id: id, content }): Turn => ({
      role: 'tool',
      text: '',
      results: [{ id, text: content }],
    }),
  ),
});

export const messages = array(titled('LlmChatMessage', message), { min: 1, max: maxMessages });
