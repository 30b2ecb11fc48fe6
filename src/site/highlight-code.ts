/** Colours for the few lines of code on the front page: strings, words of the language, options. */

import type { Language } from '../describe/snippets/clients.js';

/** A stretch of code; `kind` is its class where it has a colour. */
export interface CodePart {
  readonly text: string;
  readonly kind?: string;
}

/** What matches is a group of one of these names, which is its class. */
const patterns: Readonly<Record<Language | 'json' | 'powershell', RegExp>> = {
  json: /(?<o>"(?:[^"\\]|\\.)*"(?=:))|(?<s>"(?:[^"\\]|\\.)*")|(?<n>\b(?:true|false|null)\b|-?\d[\d.eE+-]*)/g,
  shell:
    /(?<s>'(?:[^']|'\\'')*')|(?<k>(?<=^|\n)(?:curl|http|for|done)\b|(?<=\n {2})(?:curl|http)\b)|(?<o>(?<= )--?[\w-]+)/g,
  powershell: /(?<s>'(?:[^']|'')*')|(?<k>\bInvoke-WebRequest\b)|(?<o>(?<=\s)-[A-Za-z]+|\$\w+)/g,
  javascript:
    /(?<s>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`)|(?<k>\b(?:await|const|for|let|new)\b)/g,
  python:
    /(?<s>"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<k>\b(?:import|for|in|True|False|None)\b)/g,
};

/** The same text, in parts. */
export function highlightCode(code: string, language: keyof typeof patterns): readonly CodePart[] {
  const parts: CodePart[] = [];
  let end = 0;
  for (const match of code.matchAll(patterns[language])) {
    const [kind = ''] = Object.entries(match.groups ?? {}).find(([, text]) => text) ?? [];
    parts.push({ text: code.slice(end, match.index) }, { text: match[0], kind });
    end = match.index + match[0].length;
  }
  return [...parts, { text: code.slice(end) }].filter(({ text }) => text !== '');
}
