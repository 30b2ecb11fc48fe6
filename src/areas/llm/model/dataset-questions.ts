/** Questions about the records of a sandbox. */

import { Table } from '#state/rows/table.js';
import type { Sandbox } from '#state/state.js';
import type { LlmParts } from '../messages/provider.js';

const capital = /\bwhat is the capital of (?:the )?([^?"“”]{1,120}?)\s*\?/i;
const author = /\bwho wrote ["“”]?([^?"“”]{1,200}?)["“”]?\s*\?/i;

/** Longer prompts are no questions. */
const maxPrompt = 1000;

/** Returns `undefined` if the prompt is no question about a known record. */
export async function textFromData(
  prompt: string,
  sandbox: Sandbox,
  { datasetOf }: LlmParts,
): Promise<string | undefined> {
  const shown = prompt.slice(-maxPrompt);
  const country = nameIn(capital.exec(shown));
  if (country !== undefined) {
    const all = await new Table(sandbox, datasetOf('countries')).list();
    const found = all.find(({ name }) => isSame(name, country));
    if (found) return `The capital of ${found.name} is ${found.capital}.`;
  }
  const title = nameIn(author.exec(shown));
  if (title === undefined) return undefined;
  const books = await new Table(sandbox, datasetOf('books')).list();
  const book = books.find((each) => isSame(each.title, title));
  return book && `"${book.title}" was written by ${book.author}.`;
}

const nameIn = (found: RegExpExecArray | null) => found?.[1]?.trim();

const isSame = (left: string, right: string) => left.toLowerCase() === right.toLowerCase();
