/**
 * Tokens: up to four letters or digits, or one other character, with up to 16 characters of white
 * space before it.
 */

import type { Conversation } from '../messages/conversation.js';

const piece = /\s{0,16}(?:[\p{L}\p{M}\p{N}_]{1,4}|[^\s\p{L}\p{M}\p{N}_])|\s{1,16}/gu;

/** Yields the tokens of a text, which make the text again when they are joined. */
export function* piecesOf(text: string): Generator<string> {
  for (const [token] of text.matchAll(piece)) yield token;
}

export function countTokens(text: string): number {
  return ascii.test(text) ? countAscii(text) : (text.match(piece)?.length ?? 0);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is about all characters of ASCII.
const ascii = /^[\x00-\x7f]*$/;

/** Counts what {@link piecesOf} returns, ten times faster. */
function countAscii(text: string): number {
  let count = 0;
  let lettersLeft = 0;
  let spaces = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) {
      lettersLeft = 0;
      if (spaces === maxSpaces) count++;
      spaces = spaces === maxSpaces ? 1 : spaces + 1;
      continue;
    }
    spaces = 0;
    if (isWord(code) && lettersLeft > 0) {
      lettersLeft--;
      continue;
    }
    count++;
    lettersLeft = isWord(code) ? maxLetters - 1 : 0;
  }
  return spaces > 0 ? count + 1 : count;
}

const maxSpaces = 16;
const maxLetters = 4;

const isWord = (code: number) =>
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x30 && code <= 0x39) ||
  code === 0x5f;

/** For the role of each turn, and for each tool. */
const tokensPerPart = 4;

type Prompt = Pick<Conversation, 'turns' | 'tools'>;

/** By the turns, because several steps need the count. */
const counted = new WeakMap<Prompt['turns'], number>();

/** Counts the prompt: all texts, calls, results and tools. */
export function countPrompt(prompt: Prompt): number {
  const known = counted.get(prompt.turns);
  if (known !== undefined) return known;
  const count = countParts(prompt);
  counted.set(prompt.turns, count);
  return count;
}

function countParts({ turns, tools }: Prompt): number {
  const ofTurns = turns.flatMap(({ text, calls = [], results = [] }) => [
    text,
    ...calls.flatMap((call) => [call.name, call.arguments]),
    ...results.map((result) => result.text),
  ]);
  const ofTools = tools.flatMap(({ name, description, schema }) => [
    name,
    description,
    JSON.stringify(schema),
  ]);
  const parts = tokensPerPart * (turns.length + tools.length);
  return [...ofTurns, ...ofTools].reduce((sum, text) => sum + countTokens(text), parts);
}
