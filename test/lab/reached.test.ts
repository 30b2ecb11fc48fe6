/** Which functions of the service a test file executes, and which changes it may notice. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { constantAt, usersOf } from '../../lab/mutants/reached/constants.js';
import { bodiesIn, functionAt, marks, withMarks } from '../../lab/mutants/reached/functions.js';
import { Reached } from '../../lab/mutants/reached/reached.js';

const source = `'use strict';
const one = (a) => a + 1;
function two() { 'use strict'; return [1].map((b) => ({ b })); }
class Three { get four() { return two().length; } async *five(c = one(5)) { yield c; } }
[one(1), new Three().four, [...[two()]], await new Three().five().next()];`;

/** Evaluates a source with marks, and returns its value and the functions that ran. */
async function run(text: string): Promise<{ value: unknown; ran: readonly string[] }> {
  const ran = new Set<string>();
  Object.assign(globalThis, { [marks]: ran });
  try {
    const AsyncFunction = Object.getPrototypeOf(run).constructor;
    const body = text.replace(/\n\[one/, '\nreturn [one');
    return { value: await new AsyncFunction(body)(), ran: [...ran] };
  } finally {
    Reflect.deleteProperty(globalThis, marks);
  }
}

test('marks change neither lines nor results, and note each function that runs', async () => {
  const marked = withMarks('a.ts', source);
  expect(marked.split('\n').length).toBe(source.split('\n').length);
  expect((await run(marked)).value).toEqual((await run(source)).value);
  expect((await run(marked)).ran.toSorted()).toEqual([
    'a.ts#0',
    'a.ts#1',
    'a.ts#2',
    'a.ts#3',
    'a.ts#4',
  ]);
  expect((await run(withMarks('a.ts', 'const one = () => 1;\n[one]'))).ran).toEqual([]);
});

test('a change belongs to the innermost function, and outside of functions to none', () => {
  const bodies = bodiesIn('a.ts', source);
  const at = (text: string) => {
    const start = source.indexOf(text);
    return functionAt(bodies, { start, end: start + text.length });
  };
  expect([at('a + 1'), at('return [1]'), at('{ b }'), at('yield c')]).toEqual([0, 1, 2, 4]);
  expect([at('const one'), at('one(5)')]).toEqual([undefined, undefined]);
});

test('a file may notice changes of what it executes, and any change if it was not recorded', () => {
  const file = 'src/http/headers/parse-prefer.ts';
  const text = readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');
  const mutantAt = (part: string) => {
    const start = text.indexOf(part);
    expect(start, part).toBeGreaterThan(0);
    return { file, edit: { start, end: start + part.length } };
  };
  const parsing = mutantAt('header.slice(0, maxReadLength)');
  const writing = mutantAt("parts.join(', ')");
  const number = functionAt(bodiesIn(file, text), parsing.edit) ?? -1;
  const reached = new Reached(
    new Map([
      ['test/a.test.ts', { [file]: [number] }],
      ['test/b.test.ts', {}],
    ]),
  );
  const notice = (project: string, name: string, mutant: typeof parsing) =>
    reached.mayNotice(project, `test/${name}.test.ts`, mutant);
  expect(notice('memory', 'a', parsing)).toBe(true);
  expect(notice('memory', 'a', writing)).toBe(false);
  expect(notice('later', 'a', writing)).toBe(true);
  expect(notice('later', 'b', writing)).toBe(false);
  // The constant is used by the function that parses, and a pattern by the module itself.
  const constant = mutantAt('2000');
  expect([notice('memory', 'a', constant), notice('memory', 'b', constant)]).toEqual([true, false]);
  for (const project of ['package', 'replicas']) expect(notice(project, 'b', writing)).toBe(true);
  expect(notice('memory', 'unknown', writing)).toBe(true);
});

test('a constant belongs to the functions that use it, unless the module itself does', () => {
  const text = `import { a } from './a.js';
const one = 1; // one
export const two = 2;
const three = [one];
const f = () => two;
function g() { return two + three.length; }`;
  const at = (part: string) => {
    const start = text.indexOf(part);
    return constantAt('a.ts', text, { start, end: start + part.length });
  };
  expect([at('1'), at('2'), at('[one]'), at("'./a.js'")]).toEqual([
    { name: 'one', isExported: false },
    { name: 'two', isExported: true },
    { name: 'three', isExported: false },
    undefined,
  ]);
  const users = (name: string) => usersOf('a.ts', text, name);
  expect(users('one')).toBeUndefined();
  expect([...(users('two') ?? [])]).toEqual([0, 1]);
  expect([...(users('three') ?? [])]).toEqual([1]);
  expect(usersOf('b.ts', "import { two as second } from './a.js';", 'two')).toBeUndefined();
});
