/** A conversation and its continuation, without the format of a provider. */

import type { JsonObject } from '#base/json-object.js';
import type { ModelName } from './models.js';

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** Group of tools that it belongs to. */
  readonly namespace?: string;
  /** A JSON Schema that `admitSchemas` accepts; its type is object. */
  readonly schema: JsonObject;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
  /** A text that only an execution returns, if the script says it. */
  readonly result?: string;
}

export interface ToolResult {
  /** Id of the call. */
  readonly id: string;
  readonly text: string;
  /** Whether the client reports that the tool failed. */
  readonly isError?: boolean;
}

export interface Turn {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** All texts of the turn, joined by line breaks. */
  readonly text: string;
  /** Only in turns of an assistant. */
  readonly calls?: readonly ToolCall[];
  /** Only in turns of a user or a tool. */
  readonly results?: readonly ToolResult[];
  /** Whether it has signed thinking, which is unaltered. */
  readonly hasThinking?: boolean;
}

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

export interface Conversation {
  readonly model: ModelName;
  readonly turns: readonly Turn[];
  readonly tools: readonly ToolSpec[];
  readonly toolChoice: ToolChoice;
  /** `json` is any object. */
  readonly format?: JsonObject | 'json' | undefined;
  readonly maxTokens?: number | undefined;
  readonly stop: readonly string[];
  /** Whether the response has thinking. */
  readonly thinks: boolean;
  /** Fixes ids and times, too. */
  readonly seed?: number | undefined;
}

export type StopReason =
  | 'end'
  | 'length'
  | 'stop'
  | 'tools'
  | 'refusal'
  /** Only a script has these. */
  | 'filter'
  | 'pause'
  | 'window'
  | 'recitation'
  | 'malformed';

export interface Usage {
  readonly input: number;
  /** Includes thinking. */
  readonly output: number;
  readonly thinking: number;
}

export interface Completion {
  /** Empty without thinking. */
  readonly thinking: string;
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly refusal?: string | undefined;
  readonly stop: StopReason;
  /** The text that ended the completion, if it ended by `stop`. */
  readonly stopSequence?: string | undefined;
  readonly usage: Usage;
}
