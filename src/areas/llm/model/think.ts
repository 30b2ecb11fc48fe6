/** Continues a conversation by fixed rules, so that the same request has the same completion. */

import { hash } from 'node:crypto';
import { cutText } from '#base/text/cut-text.js';
import type { Completion, Conversation, ToolCall, ToolSpec } from '../messages/conversation.js';
import { mistake } from '../messages/mistake.js';
import { chooseTool } from './choose-tool.js';
import { type Draft, finishCompletion } from './finish-completion.js';
import { generateValue, NoValue } from './generate-value.js';

const maxQuoted = 500;
const maxCount = 10_000;

/** Returns the text that a question gets from data; `undefined` if there is none. */
export type Ask = (prompt: string) => Promise<string | undefined>;

/** Throws a mistake for a schema that it finds no value for. */
export async function think(conversation: Conversation, ask: Ask): Promise<Completion> {
  const draft = await draftOf(conversation, ask);
  const thinking = conversation.thinks ? thinkingOf(conversation, draft) : '';
  return finishCompletion(conversation, { ...draft, thinking });
}

async function draftOf(conversation: Conversation, ask: Ask): Promise<Draft> {
  const { turns, format } = conversation;
  const tool = toolOf(conversation);
  if (tool !== undefined) return { text: '', calls: [callOf(conversation, tool)] };
  if (format !== undefined && format !== 'json') {
    return { text: JSON.stringify(valueFor(format, 'response schema')) };
  }
  const last = turns.at(-1);
  const text = last?.results?.length
    ? last.results.map((result) => `The tool returned: ${result.text}`).join('\n')
    : await textFor(promptOf(conversation), ask);
  return { text: format === 'json' ? JSON.stringify({ text }) : text };
}

/** Returns the text of the last user. */
export function promptOf({ turns }: Pick<Conversation, 'turns'>): string {
  return turns.findLast(({ role, text }) => role === 'user' && text !== '')?.text ?? '';
}

function toolOf(conversation: Conversation): ToolSpec | undefined {
  const { tools, toolChoice, turns } = conversation;
  if (typeof toolChoice === 'object') return tools.find(({ name }) => name === toolChoice.name);
  const prompt = promptOf(conversation);
  if (toolChoice === 'required') return chooseTool(prompt, tools) ?? tools[0];
  // A result is reported, instead of the same call again.
  const hasResult = (turns.at(-1)?.results ?? []).length > 0;
  return toolChoice === 'none' || hasResult ? undefined : chooseTool(prompt, tools);
}

/** The id follows from the conversation, as all of the completion does. */
function callOf({ turns }: Conversation, { name, schema }: ToolSpec): ToolCall {
  const text = JSON.stringify(valueFor(schema, `parameters of ${name}`));
  const seed = JSON.stringify([turns.length, turns.at(-1)?.text, name, text]);
  const id = `call_${hash('sha256', seed, 'base64url').replace(/[-_]/g, 'x').slice(0, 24)}`;
  return { id, name, arguments: text };
}

function valueFor(schema: ToolSpec['schema'], what: string): unknown {
  try {
    return generateValue(schema);
  } catch (error) {
    if (!(error instanceof NoValue)) throw error;
    throw mistake(400, `No value is found for the ${what}. Simplify the schema.`, {
      code: 'invalid_json_schema',
    });
  }
}

async function textFor(prompt: string, ask: Ask): Promise<string> {
  const repeated = /^\s*repeat:\s*([\s\S]*)$/i.exec(prompt)?.[1];
  // A turn of white space only is rejected when it is sent back.
  if (repeated !== undefined) return repeated.trim() === '' ? 'Nothing to repeat.' : repeated;
  const count = Number(/\bcount to (\d{1,9})\b/i.exec(prompt.slice(0, maxCount))?.[1] ?? 0);
  if (count > 0) {
    return Array.from({ length: Math.min(count, maxCount) }, (_, index) => index + 1).join(', ');
  }
  const known = await ask(prompt);
  return known ?? `You wrote: ${cutText(prompt, maxQuoted)}`;
}

function thinkingOf(conversation: Conversation, { calls = [], text }: Draft): string {
  const asked = cutText(promptOf(conversation), 100);
  const next = calls.length > 0 ? `call ${calls[0]?.name}` : `write ${cutText(text, 50)}`;
  return `The user asks: ${asked} I will ${next}`;
}
