/** Reads the events of a stream, and throws for what a right stream does not have. */

import type { Kind } from '../../../src/areas/llm/streams/broken-stream.js';
import { isObject, type JsonObject } from '../../../src/base/json-object.js';
import type { Fragment } from './dialects.js';

export class BrokenStream extends Error {
  override readonly name = 'BrokenStream';
}

interface Part {
  readonly isCall: boolean;
  readonly id: string;
  readonly name: string;
  text: string;
  isOpen: boolean;
}

export class CheckedStream {
  readonly #kind: Kind;
  readonly #parts = new Map<unknown, Part>();
  #hasReason = false;
  #isOver = false;

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  read(event: JsonObject | '[DONE]'): void {
    if (event === '[DONE]') {
      this.#isOver = true;
      return;
    }
    if (event.type === 'error' || (event.error ?? null) !== null)
      throw new BrokenStream('error event');
    this[this.#kind](event);
  }

  /** Returns the whole content. */
  finish(): Fragment {
    check(this.#hasReason && this.#isOver, 'no end');
    const parts = [...this.#parts.values()];
    const calls = parts.filter(({ isCall }) => isCall);
    for (const { text } of calls) check(isObject(JSON.parse(text)), 'no object');
    return {
      text: parts.map(({ isCall, text }) => (isCall ? '' : text)).join(''),
      calls: calls.map(({ id, name, text }) => ({ id, name, arguments: text })),
    };
  }

  #begin(index: unknown, part: Omit<Part, 'text' | 'isOpen'>): void {
    check(!this.#parts.has(index), 'begun twice');
    this.#parts.set(index, { ...part, text: '', isOpen: true });
  }

  #append(index: unknown, text: unknown): void {
    const part = this.#parts.get(index);
    if (part === undefined || !part.isOpen) throw new BrokenStream('delta of nothing');
    part.text += String(text ?? '');
  }

  #close(index: unknown): void {
    const part = this.#parts.get(index);
    if (part === undefined) throw new BrokenStream('end of nothing');
    part.isOpen = false;
  }

  chat({ choices }: JsonObject): void {
    for (const { index, delta, finish_reason: reason } of objectsIn(choices)) {
      check(index === 0, 'index');
      const { content, tool_calls: calls } = objectOf(delta);
      check(!this.#hasReason || (content === undefined && calls === undefined), 'after the end');
      if (typeof content === 'string' && content !== '') {
        if (!this.#parts.has('text')) this.#begin('text', { isCall: false, id: '', name: '' });
        this.#append('text', content);
      }
      for (const call of objectsIn(calls)) {
        const { name, arguments: text } = objectOf(call.function);
        const isKnown = this.#parts.get(call.index)?.id === call.id;
        if (call.id !== undefined && !isKnown) {
          check(typeof name === 'string', 'no name');
          this.#begin(call.index, { isCall: true, id: String(call.id), name: String(name) });
        }
        this.#append(call.index, text);
      }
      if (typeof reason === 'string') this.#hasReason = true;
    }
  }

  responses(event: JsonObject): void {
    const { type, output_index: index } = event;
    const item = objectOf(event.item);
    if (type === 'response.failed') throw new BrokenStream('failed');
    if (type === 'response.output_item.added') {
      const [id, name] = [String(item.call_id), String(item.name)];
      this.#begin(index, { isCall: item.type === 'function_call', id, name });
    } else if (type === 'response.output_item.done') this.#close(index);
    else if (/(?:output_text|function_call_arguments)\.delta$/.test(String(type))) {
      this.#append(index, event.delta);
    } else if (type === 'response.completed') {
      this.#hasReason = true;
      this.#isOver = true;
    }
  }

  messages(event: JsonObject): void {
    const { type, index } = event;
    const delta = objectOf(event.delta);
    if (type === 'content_block_start') {
      const { type: kind, id, name } = objectOf(event.content_block);
      this.#begin(index, { isCall: kind === 'tool_use', id: String(id), name: String(name) });
    } else if (type === 'content_block_delta') {
      this.#append(index, delta.text ?? delta.partial_json);
    } else if (type === 'content_block_stop') this.#close(index);
    else if (type === 'message_delta') this.#hasReason = typeof delta.stop_reason === 'string';
    else if (type === 'message_stop') this.#isOver = true;
  }

  gemini({ candidates }: JsonObject): void {
    for (const { index, content, finishReason } of objectsIn(candidates)) {
      check(index === 0 && !this.#isOver, 'after the end');
      for (const { text, functionCall } of objectsIn(objectOf(content).parts)) {
        if (isObject(functionCall)) this.#addCall(functionCall.id, functionCall, 'args');
        else this.#addText(text);
      }
      if (typeof finishReason === 'string') this.#end();
    }
  }

  ollama({ message, done }: JsonObject): void {
    check(!this.#isOver, 'after the end');
    const { content, tool_calls: calls } = objectOf(message);
    this.#addText(content);
    for (const { id, function: called } of objectsIn(calls)) {
      this.#addCall(id, objectOf(called), 'arguments');
    }
    if (done === true) this.#end();
  }

  #addText(text: unknown): void {
    if (typeof text !== 'string' || text === '') return;
    if (!this.#parts.has('text')) this.#begin('text', { isCall: false, id: '', name: '' });
    this.#append('text', text);
  }

  /** Its tool needs a city. */
  #addCall(id: unknown, call: JsonObject, member: string): void {
    const given = call[member];
    check(isObject(given) && typeof given.city === 'string', 'no arguments');
    this.#begin(id, { isCall: true, id: String(id), name: String(call.name) });
    this.#append(id, JSON.stringify(given));
  }

  #end(): void {
    this.#hasReason = true;
    this.#isOver = true;
  }
}

function check(isRight: boolean, fault: string): void {
  if (!isRight) throw new BrokenStream(fault);
}

const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
