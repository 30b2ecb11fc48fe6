/** One word for one thing: what the glossary has another word for stands in no page and in no message. */

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readText, root, texts } from './pages.js';

/** What is not said, and what is. */
const banned: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(?:is|are) not taken\b(?! (?:for|by)\b)/, 'is not supported'],
  [/\bpath takes (?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|\$)/, 'supports'],
  [/\bhere; it takes\b/, 'it supports'],
];

test.each(texts)('%s keeps to the glossary', (name) => {
  expect(faultsIn(readText(name))).toEqual([]);
});

/** In what a caller is sent and what the description says: messages, summaries, descriptions, help. */
const bannedInMessages: typeof banned = [
  [/\banswer(?:s|ed|ing)?\b(?! (?:it|the challenge)\b)/i, 'response'],
  [/\brepl(?:y|ies|ied)\b/i, 'response'],
  [/\bverbs?\b/i, 'method'],
  [/\brefus(?:es?|ed|als?|ing)\b/i, 'reject'],
  [/\bbounds?\b(?! to\b)/i, 'limit'],
  [/\bwhole numbers?\b/i, 'integer'],
  [
    /\btakes (?:an?|one|no|at most|true|seconds|whole|names|[A-Z]{3,})\b/,
    'must be, supports or accepts',
  ],
  [/\b(?:query parameter|field) \S+ (?:must|takes|is missing)\b/, 'the name alone'],
  [/\bwhich one counts\b/, 'which one is meant'],
];

/** A kind of field, which no caller sees. */
const allowed: ReadonlySet<string> = new Set(['whole number']);

/** The comments, texts and patterns of a source, so that what is inside one is not taken for another. */
const tokens =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|\/(?:[^/\\\n[ ]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

/** The sentences among the texts of a source: no markup, no programs, no patterns and no names. */
function messagesIn(source: string): string[] {
  const texts = source.match(tokens)?.filter((token) => /^['"`]/.test(token)) ?? [];
  return texts
    .map((text) => text.slice(1, -1).replace(/\$\{[^}]*\}/g, '$'))
    .filter((text) => /[a-z] [a-z]/i.test(text) && !/<|=>|\\w/.test(text) && !allowed.has(text));
}

test('messages keep to the glossary', () => {
  const sources = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' })
    // The state speaks of Redis, whose connections do refuse, and do not answer.
    .filter((name) => /^(?!state\/).*(?<!\.test)\.ts$/.test(name))
    .map((name) => [name, readFileSync(new URL(`src/${name}`, root), 'utf8')] as const);
  expect(sources.length).toBeGreaterThan(500);
  const found = sources.flatMap(([name, text]) =>
    messagesIn(text).flatMap((message) =>
      faultsIn(message, [...banned, ...bannedInMessages]).map(
        (fault) => `${name}: ${fault}: ${message}`,
      ),
    ),
  );
  expect(found).toEqual([]);
});

function faultsIn(text: string, words = banned): string[] {
  return words.flatMap(([pattern, instead]) => {
    const [found] = pattern.exec(text) ?? [];
    return found === undefined ? [] : [`“${found}”: write “${instead}”`];
  });
}
