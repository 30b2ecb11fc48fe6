/**
 * `npm run house [-- path …]`: prints the figures of the house as a table: the size of the sources, what makes them hard to
 * read, and the functions that a request to each path calls in the built service, by default `/api/Books/1`.
 */

import { readFileSync } from 'node:fs';
import { build } from '../../scripts/build.js';
import { floorsOf, groupsOf } from '../../scripts/import-graph.js';
import { table } from '../harness/report.js';
import { calledFunctions } from './called-functions.js';
import { membersOf, readSources } from './read-sources.js';

const maxLines = 60;
const maxParameters = 5;
const defaultPath = '/api/Books/1';

/** Interfaces whose members are counted, and their files. */
const counted = /** @type {const} */ ([
  ['Area', 'src/kit/area.ts'],
  ['Runtime', 'src/kit/services.ts'],
  ['Limits', 'src/kit/services.ts'],
  ['Sandboxes', 'src/kit/services.ts'],
]);

const sources = readSources();
const imports = new Map(sources.map(({ file, imports }) => [file, imports]));

/** @type {string[][]} */
const rows = [];
/** @param {string} what @param {number} figure @param {readonly string[]} [details] */
const add = (what, figure, details = []) =>
  rows.push([what, figure.toLocaleString('en'), details.join(', ')]);
/** @param {string} what @param {readonly string[]} found */
const addAll = (what, found) => add(what, found.length, found);

/** @param {(typeof sources)[number]} source */
const roomOf = ({ file }) => /^src\/(?:areas\/)?[^/]+(?=\/)|^src/.exec(file)?.[0] ?? '';
/** @param {readonly (typeof sources)[number][]} some */
const linesOf = (some) => some.reduce((sum, { lines }) => sum + lines, 0);

add('lines', linesOf(sources), [`${sources.length} files`]);
const rooms = [...new Set(sources.map(roomOf))]
  .map((room) => ({ room, own: sources.filter((source) => roomOf(source) === room) }))
  .sort((a, b) => linesOf(b.own) - linesOf(a.own));
for (const { room, own } of rooms) {
  const floors = floorsOf(new Map(own.map(({ file, imports }) => [file, imports])));
  add(`lines of ${room}`, linesOf(own), [`${own.length} files`, `${floors} floors`]);
}
for (const [name, file] of counted) {
  const members = membersOf(
    sources.find((source) => source.file === file),
    name,
  );
  const sum = members.reduce((all, { count }) => all + count, 0);
  add(
    `members of ${name}`,
    sum,
    members.map(({ name: bag, count }) => `${bag} ${count}`),
  );
}
const circles = groupsOf(imports).filter(({ length }) => length > 1);
addAll(
  'import circles',
  circles.map((files) => files.join(' ↔ ')),
);
const functions = sources.flatMap((source) => source.functions);
const long = functions.filter(({ lines }) => lines > maxLines).sort((a, b) => b.lines - a.lines);
addAll(
  `functions over ${maxLines} lines`,
  long.map(({ name, lines }) => `${name} ${lines}`),
);
const wide = functions.filter(({ parameters }) => parameters > maxParameters);
addAll(
  `functions with over ${maxParameters} parameters`,
  wide.map(({ name, parameters }) => `${name} ${parameters}`),
);
addAll(
  'mutable values at module level',
  sources.flatMap(({ file, state }) => state.map((name) => `${file} ${name}`)),
);

/** @type {Map<string, number>} */
const exporters = new Map();
for (const { file } of sources.filter(({ file }) => !file.endsWith('.d.ts'))) {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const exported =
    /^export (?:abstract |async )?(?:const|function\*?|class|interface|type|enum) (\w+)/gm;
  const names = new Set(Array.from(text.matchAll(exported), ([, name = '']) => name));
  for (const name of names) exporters.set(name, 1 + (exporters.get(name) ?? 0));
}
const shared = [...exporters].filter(([, files]) => files > 1).sort(([, a], [, b]) => b - a);
const often = shared.slice(0, 5).map(([name, files]) => `${name} ${files}`);
add('names that several files export', shared.length, often);

await build();
for (const path of process.argv.length > 2 ? process.argv.slice(2) : [defaultPath]) {
  const owners = [...(await calledFunctions(path))];
  const isLibrary = (/** @type {string} */ owner) =>
    !['ours', 'Node', 'generated code'].includes(owner);
  const libraries = owners.filter(([owner]) => isLibrary(owner));
  const inLibraries = libraries.reduce((sum, [, called]) => sum + called.functions, 0);
  for (const [owner, called] of owners.filter(([owner]) => !isLibrary(owner)))
    add(`functions of ${owner} in GET ${path}`, called.functions, [`${called.calls} calls`]);
  const details = libraries.map(
    ([owner, { functions, calls }]) => `${owner} ${functions} (${calls} calls)`,
  );
  add(`functions of libraries in GET ${path}`, inLibraries, details);
}
console.log(table(['what', 'figure:', 'details'], rows));
