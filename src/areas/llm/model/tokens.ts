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

const maxSpaces = 16;
const maxLetters = 4;

const letter = /[\p{L}\p{M}\p{N}_]/u;

const kinds = { unknown: 0, other: 1, letter: 2, space: 3 } as const;

/** The kind of each character that has occurred. */
const kindOf = new Uint8Array(0x110000);

function findKind(code: number): number {
  const text = String.fromCodePoint(code);
  const kind = /\s/.test(text) ? kinds.space : letter.test(text) ? kinds.letter : kinds.other;
  kindOf[code] = kind;
  return kind;
}

/** Counts what {@link piecesOf} returns, ten times faster. */
export function countTokens(text: string): number {
  let count = 0;
  let lettersLeft = 0;
  let spaces = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) ?? 0;
    if (code > 0xffff) at++;
    const kind = kindOf[code] || findKind(code);
    if (kind === kinds.space) {
      lettersLeft = 0;
      if (spaces === maxSpaces) count++;
      spaces = spaces === maxSpaces ? 1 : spaces + 1;
      continue;
    }
    spaces = 0;
    const isLetter = kind === kinds.letter;
    if (isLetter && lettersLeft > 0) {
      lettersLeft--;
      continue;
    }
    count++;
    lettersLeft = isLetter ? maxLetters - 1 : 0;
  }
  return spaces > 0 ? count + 1 : count;
}

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
