/** Ends a completion by `stop` and by the maximum of tokens, and counts it. */

import type { Completion, Conversation, StopReason, ToolCall } from '../messages/conversation.js';
import { models } from '../messages/models.js';
import { findText } from './find-text.js';
import { countPrompt, countTokens, piecesOf } from './tokens.js';

export interface Draft {
  readonly thinking?: string;
  readonly text: string;
  readonly calls?: readonly ToolCall[];
  readonly refusal?: string | undefined;
  readonly stop?: StopReason | undefined;
}

/** Thinking counts first, then text, the refusal and calls. */
export function finishCompletion(conversation: Conversation, draft: Draft): Completion {
  const { thinking: thought = '', calls: wanted = [], refusal: wantedRefusal } = draft;
  const room = new Room(maxTokensOf(conversation));
  const thinking = room.cut(thought);
  const stopped = stopAt(draft.text.slice(0, maxCharacters), conversation.stop);
  const text = room.cut(stopped.text);
  const refusal = wantedRefusal === undefined || room.isFull ? undefined : room.cut(wantedRefusal);
  const calls = room.isFull ? [] : wanted.map((call) => cutCall(call, room));
  const isCut = room.isFull;
  const usual = calls.length > 0 ? 'tools' : wantedRefusal === undefined ? 'end' : 'refusal';
  const bySequence = !isCut && stopped.sequence !== undefined;
  const ofThinking = countTokens(thinking);
  return {
    ...{ thinking, text, calls, refusal },
    stop: isCut ? 'length' : bySequence ? 'stop' : (draft.stop ?? usual),
    stopSequence: bySequence ? stopped.sequence : undefined,
    usage: {
      input: countPrompt(conversation),
      output: room.used,
      thinking: ofThinking,
    },
  };
}

/** More do not fit into the tokens of a completion. */
const maxCharacters = 400_000;

const maxTokensOf = ({ model, maxTokens }: Conversation) =>
  Math.min(maxTokens ?? Number.POSITIVE_INFINITY, models[model].maxOutputTokens);

function cutCall(call: ToolCall, room: Room): ToolCall {
  room.cut(call.name);
  return { ...call, arguments: room.cut(call.arguments) };
}

/** Cuts before the first of the sequences. */
function stopAt(text: string, sequences: readonly string[]) {
  let end = text.length;
  let sequence: string | undefined;
  for (const each of sequences) {
    const at = findText(text, each);
    if (at >= 0 && at < end) [end, sequence] = [at, each];
  }
  return { text: text.slice(0, end), sequence };
}

/** Tokens that a completion may have. */
class Room {
  readonly #limit: number;
  used = 0;
  isFull = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns the beginning of a text that there is room for. */
  cut(text: string): string {
    const count = countTokens(text);
    const left = this.#limit - this.used;
    this.used += Math.min(count, left);
    if (count <= left) return text;
    this.isFull = true;
    let length = 0;
    let kept = 0;
    for (const piece of piecesOf(text)) {
      if (kept++ === left) break;
      length += piece.length;
    }
    return text.slice(0, length);
  }
}
