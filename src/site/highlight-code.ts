/** Highlights code on the front page: strings, keywords, options. */

import type { Language } from '#describe/snippets/clients.js';

/** A part of code; `kind` is its CSS class if it is coloured. */
export interface CodePart {
  readonly text: string;
  readonly kind?: string;
}

/** The name of the matching group is the CSS class. */
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

/** Returns the same text in parts. */
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
