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

/** Decisions and the log of changes say what was said at their time. */
const pages = texts.filter((name) => !/decisions\/|CHANGELOG/.test(name));

test.each(pages)('%s keeps to the glossary', (name) => {
  expect(faultsIn(readText(name))).toEqual([]);
});

test('messages keep to the glossary', () => {
  const sources = readdirSync(new URL('src/', root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => [name, readFileSync(new URL(`src/${name}`, root), 'utf8')] as const);
  expect(sources.length).toBeGreaterThan(500);
  for (const [name, text] of sources) {
    const strings = text.split('\n').filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line));
    expect(faultsIn(strings.join('\n')), name).toEqual([]);
  }
});

function faultsIn(text: string): string[] {
  return banned.flatMap(([pattern, instead]) => {
    const [found] = pattern.exec(text) ?? [];
    return found === undefined ? [] : [`“${found}”: write “${instead}”`];
  });
}
