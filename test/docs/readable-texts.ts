/** The texts of a file that people read: comments, names, test titles, messages and prose. */

import { parseSync } from 'oxc-parser';
import { proseOf } from './markdown.js';
import type { Place } from './word-rules.js';

export interface ReadableText {
  readonly place: Place;
  readonly text: string;
}

interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

export function readableTexts(file: string, source: string): readonly ReadableText[] {
  if (file.endsWith('.md')) return [{ place: 'prose', text: proseWithoutCode(source) }];
  if (file.endsWith('.html')) {
    return [{ place: 'prose', text: source.replaceAll(/<[^>]*>/g, ' ') }];
  }
  return textsOfProgram(file, source);
}

/** Removes code, URLs and generated tables from Markdown. */
function proseWithoutCode(markdown: string): string {
  return proseOf(markdown.replaceAll(/<!-- ([\w -]+) -->.*?<!-- end of \1 -->/gs, ''))
    .replaceAll(/(`+).*?\1/gs, '`')
    .replaceAll(/\]\([^)]*\)/g, ']');
}

function textsOfProgram(file: string, source: string): readonly ReadableText[] {
  const { program, comments, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const texts: ReadableText[] = commentBlocks(source, comments).map((text) => ({
    place: 'comment',
    text,
  }));
  const names = new Set<string>();
  const strings = file.includes('.test.') ? 'title' : 'message';
  visit(program as unknown as Node, (node) => {
    for (const name of namesOf(node)) names.add(name);
    const text = strings === 'title' ? titleOf(node) : messageOf(node);
    if (text !== undefined) texts.push({ place: strings, text });
  });
  for (const name of names) texts.push({ place: 'identifier', text: wordsOf(name) });
  return texts;
}

/** Splits a name into words: `wordsOf` becomes "words of". */
function wordsOf(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|_/g, ' ').toLowerCase();
}

/** Joins consecutive line comments into one text. */
function commentBlocks(
  source: string,
  comments: readonly { type: string; value: string; start: number; end: number }[],
): string[] {
  const blocks: { text: string; end: number; isLine: boolean }[] = [];
  for (const { type, value, start, end } of comments) {
    const last = blocks.at(-1);
    const isLine = type === 'Line';
    if (isLine && last?.isLine && /^\s*$/.test(source.slice(last.end, start))) {
      last.text += ` ${value.trim()}`;
      last.end = end;
    } else {
      const text = value
        .replaceAll(/^\s*\*+ ?/gm, '')
        .replaceAll(/`[^`]*`/g, '`')
        .trim();
      blocks.push({ text, end, isLine });
    }
  }
  return blocks.map(({ text }) => text);
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof each === 'object' && each !== null && 'type' in each) visit(each as Node, see);
    }
  }
}

/** The names that a declaration introduces; names that it only uses may belong to a library. */
function namesOf({ type, id, key, value, local, params }: Node): readonly string[] {
  if (type === 'ImportSpecifier') return [];
  const renamed = type === 'Property' ? value : undefined;
  const found = [id, key, renamed, local, ...(Array.isArray(params) ? params : [])];
  return (found as (Node | null | undefined)[]).flatMap((each) =>
    each?.type === 'Identifier' || each?.type === 'PrivateIdentifier' ? String(each.name) : [],
  );
}

/** The first argument of `test`, `describe` and their variants. */
function titleOf({ type, callee, arguments: given }: Node): string | undefined {
  if (type !== 'CallExpression') return undefined;
  let called = callee as Node;
  while (called.type === 'CallExpression' || called.type === 'MemberExpression') {
    called = (called.callee ?? called.object) as Node;
  }
  if (called.type !== 'Identifier') return undefined;
  if (!['test', 'it', 'describe'].includes(String(called.name))) return undefined;
  const [first] = given as Node[];
  return first === undefined ? undefined : textOf(first);
}

/** A string with at least two words, without interpolated values; no markup, program or pattern. */
function messageOf(node: Node): string | undefined {
  const text = textOf(node);
  if (text === undefined || !/[a-z] [a-z]/i.test(text)) return undefined;
  return /<|=>|\\w/.test(text) ? undefined : text.replaceAll(/`[^`]*`/g, '`');
}

function textOf({ type, value, quasis }: Node): string | undefined {
  if (type === 'Literal') return typeof value === 'string' ? value : undefined;
  if (type !== 'TemplateLiteral') return undefined;
  return (quasis as { value: { cooked: string } }[])
    .map(({ value: each }) => each.cooked)
    .join('$');
}
