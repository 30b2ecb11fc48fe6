/** Colours for the few lines of code on the front page: strings, words of the language, options. */

import { Html, html } from './html.js';
import type { Language } from './snippets/clients.js';

/** What matches is a group of one of these names, which is its class. */
const patterns: Readonly<Record<Language, RegExp>> = {
  shell:
    /(?<s>'(?:[^']|'\\'')*')|(?<k>(?<=^|\n)(?:curl|http|for|done)\b|(?<=\n {2})(?:curl|http)\b)|(?<o>(?<= )--?[\w-]+)/g,
  javascript:
    /(?<s>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`)|(?<k>\b(?:await|const|for|let|new)\b)/g,
  python:
    /(?<s>"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<k>\b(?:import|for|in|True|False|None)\b)/g,
};

/** The same text, with parts of it in elements. */
export function highlightCode(code: string, language: Language): Html {
  const parts: Html[] = [];
  let end = 0;
  for (const match of code.matchAll(patterns[language])) {
    const [kind = ''] = Object.entries(match.groups ?? {}).find(([, text]) => text) ?? [];
    parts.push(html`${code.slice(end, match.index)}<i class="${kind}">${match[0]}</i>`);
    end = match.index + match[0].length;
  }
  return new Html([...parts, html`${code.slice(end)}`].map(({ text }) => text).join(''));
}
