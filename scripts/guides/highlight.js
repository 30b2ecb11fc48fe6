/**
 * Highlights code as HTML: some kinds of words are elements with a class, coloured only by style
 * sheets.
 */

import { createOnigurumaEngine } from '@shikijs/engine-oniguruma';
import csharp from '@shikijs/langs/csharp';
import go from '@shikijs/langs/go';
import java from '@shikijs/langs/java';
import javascript from '@shikijs/langs/javascript';
import json from '@shikijs/langs/json';
import python from '@shikijs/langs/python';
import shellscript from '@shikijs/langs/shellscript';
import typescript from '@shikijs/langs/typescript';
import yaml from '@shikijs/langs/yaml';
import { codeToTokensBase, createShikiPrimitive } from '@shikijs/primitive';
import { escapeHtml } from './html.js';

/** Classes of the front page, with their TextMate scopes. */
const kinds = [
  ['s', ['string']],
  ['k', ['keyword', 'storage', 'constant.language', 'entity.name.command']],
  [
    'o',
    ['support.type.property-name', 'constant.other.option', 'string.unquoted.argument constant'],
  ],
  ['n', ['constant.numeric']],
  ['h', ['comment']],
];

const plain = '#000000';
/** A colour for each kind, which identifies it. */
const colourOf = (/** @type {number} */ index) => `#00000${index + 1}`;

/** Plain words of a shell have no colour. */
const unquoted = { scope: ['string.unquoted'], settings: { foreground: plain } };

const languages = {
  csharp,
  go,
  java,
  js: javascript,
  json,
  python,
  sh: shellscript,
  ts: typescript,
  yaml,
};

/** @typedef {keyof typeof languages} Language */

const highlighter = createShikiPrimitive({
  engine: await createOnigurumaEngine(import('@shikijs/engine-oniguruma/wasm-inlined')),
  langs: Object.values(languages).flat(),
  themes: [
    {
      name: 'classes',
      type: 'dark',
      colors: {},
      tokenColors: [
        { settings: { foreground: plain, background: plain } },
        ...kinds.map(([, scope], index) => ({
          scope: /** @type {string[]} */ (scope),
          settings: { foreground: colourOf(index) },
        })),
        unquoted,
      ],
    },
  ],
});

const grammars = { js: 'javascript', sh: 'shellscript', ts: 'typescript' };

/**
 * @param {string} code
 * @param {string} language Other languages are unchanged
 */
export function highlight(code, language) {
  if (!(language in languages)) return escapeHtml(code);
  const lang = grammars[/** @type {'js'} */ (language)] ?? language;
  // Without a time limit, so that a build on a busy machine is the same.
  const options = { lang, theme: 'classes', tokenizeTimeLimit: 0 };
  const lines = codeToTokensBase(highlighter, code, options);
  return lines.map((tokens) => joinKinds(tokens).map(toHtml).join('')).join('\n');
}

/**
 * Joins neighbours of the same kind.
 *
 * @param {readonly { content: string, color?: string }[]} tokens
 */
function joinKinds(tokens) {
  /** @type {{ kind: string, text: string }[]} */
  const joined = [];
  for (const { content, color = plain } of tokens) {
    const [kind = ''] = kinds[Number(color.slice(1)) - 1] ?? [];
    const last = joined.at(-1);
    if (last !== undefined && last.kind === kind) last.text += content;
    else joined.push({ kind: String(kind), text: content });
  }
  return joined;
}

/** @param {{ kind: string, text: string }} part */
function toHtml({ kind, text }) {
  const escaped = escapeHtml(text);
  return kind === '' ? escaped : `<i class="${kind}">${escaped}</i>`;
}
