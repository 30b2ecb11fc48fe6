/** A client that ignores every error, and continues with what it has read. */

import type { Kind } from '../../../src/areas/llm/streams/broken-stream.js';
import { isObject, type JsonObject } from '../../../src/base/json-object.js';
import type { Fragment } from './dialects.js';
import { dialects } from './dialects.js';
import { eventsOf, postStream, type StreamCall } from './stream-request.js';

export interface Conversation {
  readonly kind: Kind;
  readonly baseUrl: string;
  readonly prompt: string;
  readonly hasTool: boolean;
  /** Result of the tool. */
  readonly result: string;
  /** Ends requests that wait in silence. */
  readonly signal?: AbortSignal;
}

/** Sends a prompt, reads the stream, and sends the next request. */
export async function converseNaively(conversation: Conversation): Promise<void> {
  const { kind, prompt, hasTool, result, ...call } = conversation;
  const dialect = dialects[kind];
  const fragment = await readNaively(kind, {
    ...{ ...call, dialect, body: dialect.first(prompt, hasTool) },
  });
  if (call.signal?.aborted) return;
  const body = dialect.next(prompt, hasTool, fragment, result);
  const response = await postStream({ ...call, dialect, body }).catch(() => undefined);
  await response?.body?.cancel();
}

/** A part of the content: a text or a call. */
interface Part {
  id: string;
  name: string;
  text: string;
  isCall: boolean;
}

type Parts = Map<unknown, Part>;

async function readNaively(kind: Kind, call: StreamCall): Promise<Fragment> {
  const parts: Parts = new Map();
  try {
    const response = await postStream(call);
    for await (const { data } of eventsOf(response)) {
      const value = parse(data);
      if (isObject(value)) read[kind](value, parts);
    }
  } catch {
    // The connection has ended, or there is no text/event-stream.
  }
  const all = [...parts.values()];
  const calls = all.filter(({ isCall, id, name }) => isCall && id !== '' && name !== '');
  return {
    text: all.map(({ isCall, text }) => (isCall ? '' : text)).join(''),
    calls: calls.map(({ id, name, text }) => ({ id, name, arguments: text })),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function partOf(parts: Parts, index: unknown, isCall: boolean): Part {
  const part = parts.get(index) ?? { id: '', name: '', text: '', isCall };
  parts.set(index, part);
  return part;
}

const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
const memberOf = (value: unknown, name: string) => (isObject(value) ? value[name] : undefined);
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** The latest call of a tool replaces the ones before. */
function addCall(parts: Parts, { name }: JsonObject, given: unknown): void {
  const called = { id: textOf(name), name: textOf(name), text: JSON.stringify(given) };
  parts.set(called.id, { ...called, isCall: true });
}

const read: Readonly<Record<Kind, (event: JsonObject, parts: Parts) => void>> = {
  chat({ choices }, parts) {
    for (const { index, delta } of objectsIn(choices)) {
      if (index === 0) partOf(parts, 'text', false).text += textOf(memberOf(delta, 'content'));
      for (const call of objectsIn(memberOf(delta, 'tool_calls'))) {
        const part = partOf(parts, call.index, true);
        part.id ||= textOf(call.id);
        part.name ||= textOf(memberOf(call.function, 'name'));
        part.text += textOf(memberOf(call.function, 'arguments'));
      }
    }
  },
  responses({ type, output_index: index, item, delta }, parts) {
    if (type === 'response.output_item.added') {
      const isCall = memberOf(item, 'type') === 'function_call';
      const [id, name] = [textOf(memberOf(item, 'call_id')), textOf(memberOf(item, 'name'))];
      parts.set(index, { id, name, text: '', isCall });
    }
    const isDelta = /^response\.(?:output_text|function_call_arguments)\.delta$/;
    if (isDelta.test(textOf(type))) partOf(parts, index, false).text += textOf(delta);
  },
  messages({ type, index, content_block: block, delta }, parts) {
    if (type === 'content_block_start') {
      const isCall = memberOf(block, 'type') === 'tool_use';
      const [id, name] = [textOf(memberOf(block, 'id')), textOf(memberOf(block, 'name'))];
      parts.set(index, { id, name, text: '', isCall });
    }
    if (type === 'content_block_delta') {
      partOf(parts, index, false).text +=
        textOf(memberOf(delta, 'text')) + textOf(memberOf(delta, 'partial_json'));
    }
  },
  gemini({ candidates }, parts) {
    for (const { index, content } of objectsIn(candidates)) {
      if (index !== 0) continue;
      for (const { text, functionCall } of objectsIn(memberOf(content, 'parts'))) {
        partOf(parts, 'text', false).text += textOf(text);
        if (isObject(functionCall)) addCall(parts, functionCall, functionCall.args);
      }
    }
  },
  ollama({ message }, parts) {
    partOf(parts, 'text', false).text += textOf(memberOf(message, 'content'));
    for (const { function: called } of objectsIn(memberOf(message, 'tool_calls'))) {
      if (isObject(called)) addCall(parts, called, called.arguments);
    }
  },
};
