/** Tools: a definition, and a function of the arguments. */

import type { Awaitable } from '#base/awaitable.js';
import type { JsonObject } from '#base/json-object.js';
import { HttpError } from '#http/http-error.js';
import { invalidParams } from '../messages/rpc-error.js';
import type { InputRequests } from '../model/ask.js';
import type { Call } from '../model/call.js';
import { text } from '../model/content.js';
import type { McpOffers } from '../model/parts.js';

/** Work that becomes a task, if the client supports tasks. */
export interface TaskPlan {
  /** Whether a client without support for tasks gets an error. */
  readonly isRequired?: true;
  /** Input that the work needs before it begins. */
  readonly inputs?: (args: JsonObject) => InputRequests;
  /** Whether the call requests the input, before there is a task. */
  readonly asksInCall?: true;
  readonly durationMs: (args: JsonObject) => number;
  /** Returns the result of the tool, or throws its protocol error. */
  readonly finish: (args: JsonObject, inputs: JsonObject) => JsonObject;
}

export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
  readonly icons?: readonly JsonObject[];
  /** Whether it changes something in the sandbox. */
  readonly isWriting?: true;
  readonly task?: TaskPlan;
  /** The offer of another area without which the tool is absent. */
  readonly needs?: keyof McpOffers;
  readonly run: (args: JsonObject, call: Call) => Awaitable<JsonObject>;
}

type ToolWith<Offer> = Omit<Tool, 'needs' | 'run'> & {
  readonly run: (args: JsonObject, call: Call, offer: Offer) => Awaitable<JsonObject>;
};

/** Makes a tool that an offer of another area carries out. */
export function toolWith<Need extends keyof McpOffers>(
  needs: Need,
  { run, ...tool }: ToolWith<NonNullable<McpOffers[Need]>>,
): Tool {
  return {
    ...tool,
    needs,
    run(args, call) {
      const offer = call.parts.offered[needs];
      if (offer === undefined) throw invalidParams(`Unknown tool: ${tool.name}`);
      return run(args, call, offer);
    },
  };
}

export const textResult = (value: string): JsonObject => ({ content: [text(value)] });

export const errorResult = (value: string): JsonObject => ({
  content: [text(value)],
  isError: true,
});

/** Shows a model why its input was rejected. */
export async function explained(run: () => Promise<JsonObject>): Promise<JsonObject> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof HttpError) || error.status >= 500) throw error;
    return errorResult(error.message);
  }
}

/** A result with the same data as text, for clients that read only that. */
export const structured = (value: JsonObject): JsonObject => ({
  content: [text(JSON.stringify(value))],
  structuredContent: value,
});

/** The schema of arguments; all of them are required by default. */
export function argumentsOf(
  properties: JsonObject = {},
  required: readonly string[] = Object.keys(properties),
): JsonObject {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

export const readOnly: JsonObject = { readOnlyHint: true, openWorldHint: false };
