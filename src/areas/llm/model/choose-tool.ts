/** Chooses the tool that a prompt names, or whose description fits it best. */

import type { ToolSpec } from '../messages/conversation.js';

/** Words that say nothing about a purpose. */
const common = new Set(
  'a an and any are as at be by can could do does for from get give have how i in is it its let me my of on or please show tell that the their this to use using value values want what when where which who will with you your'.split(
    ' ',
  ),
);

const maxWords = 2000;
/** The end of a longer prompt counts. */
const maxPrompt = 10_000;

/** Returns `undefined` if no tool shares a word with the prompt. The first of equal ones wins. */
export function chooseTool(whole: string, tools: readonly ToolSpec[]): ToolSpec | undefined {
  const prompt = whole.slice(-maxPrompt);
  const words = new Set(prompt.match(/[\w-]+/g) ?? []);
  const named = tools.find(({ name }) => words.has(name));
  if (named !== undefined) return named;
  const asked = new Set(wordsOf(prompt));
  let best: ToolSpec | undefined;
  let most = 0;
  for (const tool of tools) {
    const own = new Set(wordsOf(`${tool.name} ${tool.description}`));
    const score = [...own].filter((word) => asked.has(word)).length;
    if (score > most) [best, most] = [tool, score];
  }
  return best;
}

function wordsOf(text: string): readonly string[] {
  const words = text.slice(0, 16 * maxWords).match(/[\p{Lu}]?[\p{Ll}\p{N}]+|\p{Lu}+/gu) ?? [];
  return words
    .slice(0, maxWords)
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 1 && !common.has(word));
}
