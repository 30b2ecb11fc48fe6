/**
 * Checks the layers of `src/` (docs/architecture.md): imports go down, no two files import each
 * other, not even types, areas import neither each other nor the layers around them, the folders
 * and files directly inside a layer or an area form no circle and few floors, and no folder has too
 * many files. In `pages/`, checks circles of files and sizes of folders. Prints every violation.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { floorsOf, groupsOf, importsIn } from './import-graph.js';

/** Each layer, a folder or a file of `src/`, may import itself and those before it. */
const rooms = [
  'base',
  'stdio',
  'listen',
  'json-schema',
  'config',
  'data',
  'state',
  'wire',
  'http',
  'accounts',
  'kit',
  'faults',
  'defects',
  'app',
  'describe',
  'site',
  'areas',
  'service.ts',
  'test-sandbox.ts',
  'index.ts',
  'program',
];

/** Layers that areas must not import; the kit offers what areas need. */
const notForAreas = ['wire', 'app', 'describe', 'site'];

const maxFiles = 15;

/** Limit for the folders and files directly inside a layer or an area. */
const maxFloors = 8;

/** @typedef {import('./import-graph.js').Imports} Imports */

/**
 * @param {Imports} imports Paths from `src/`
 * @returns {string[]} one line for each fault
 */
export function faultsOf(imports) {
  const faults = [...imports].flatMap(([file, imported]) =>
    imported.flatMap((target) => faultOf(file, target) ?? []),
  );
  const unknown = [...imports.keys()].filter((file) => !rooms.includes(roomOf(file)));
  faults.push(
    ...unknown.map((file) => `${file} is in no layer: name it in scripts/check-rooms.js.`),
  );
  for (const [layer, parts] of partsOf(imports)) {
    const circles = groupsOf(parts).filter(({ length }) => length > 1);
    const names = circles.map((circle) => circle.sort().join(', ')).join('; ');
    if (circles.length > 0) faults.push(`Parts of ${layer} import each other: ${names}`);
    const floors = floorsOf(parts);
    if (floors > maxFloors)
      faults.push(`${layer} has ${floors} floors; the limit is ${maxFloors}.`);
  }
  return [...faults, ...faultsOfFiles(imports)];
}

/**
 * Returns circles of files, and folders with too many.
 *
 * @param {Imports} imports
 * @returns {string[]}
 */
export function faultsOfFiles(imports) {
  const circles = groupsOf(imports).filter(({ length }) => length > 1);
  const faults = circles.map((files) => `They import each other: ${files.join(', ')}`);
  const folders = [...imports.keys()].map((file) => dirname(file));
  for (const folder of new Set(folders)) {
    const files = folders.filter((each) => each === folder).length;
    if (files > maxFiles) faults.push(`${folder} has ${files} files; the limit is ${maxFiles}.`);
  }
  return faults;
}

/**
 * An import that leaves its layer or area begins with `#`, which is `src/`; within one it is relative.
 *
 * @param {string} file Its path from `src/`
 * @param {string} text
 * @returns {string[]} one line for each fault
 */
export function faultsOfPaths(file, text) {
  const placeOf = (/** @type {string} */ path) =>
    path
      .split('/')
      .slice(0, roomOf(path) === 'areas' ? 2 : 1)
      .join('/');
  const leaves = (/** @type {string} */ path) => placeOf(path) !== placeOf(file);
  return [...text.matchAll(/(?: from |\bimport |\bimport\()'((?:#|\.\.\/)[^'\n]*)'/g)].flatMap(
    ([, path = '']) => {
      const isShort = path.startsWith('#');
      const target = isShort ? path.slice(1) : join(dirname(file), path);
      if (isShort === leaves(target) || target.startsWith('../')) return [];
      return `${file} imports ${path}: ${isShort ? 'use a relative path within a layer or area' : `use #${target}`}.`;
    },
  );
}

/**
 * @param {string} file
 * @param {string} target
 */
function faultOf(file, target) {
  const [from, to] = [roomOf(file), roomOf(target)];
  if (rooms.includes(from) && rooms.indexOf(to) > rooms.indexOf(from)) {
    return `${file} imports ${target}: ${to} is above ${from}.`;
  }
  if (from !== 'areas') return undefined;
  if (notForAreas.includes(to)) return `${file} imports ${target}: areas must not import ${to}.`;
  if (to === 'areas' && areaOf(file) !== areaOf(target)) {
    return `${file} imports ${target}: areas must not import each other.`;
  }
  return undefined;
}

/**
 * Returns the imports between the folders and files directly inside each layer and each area.
 *
 * @param {Imports} imports
 * @returns {Map<string, Map<string, string[]>>}
 */
export function partsOf(imports) {
  /** @type {Map<string, Map<string, Set<string>>>} */
  const layers = new Map();
  const split = (/** @type {string} */ file) => {
    const depth = file.startsWith('areas/') ? 2 : 1;
    const names = file.split('/');
    const part = names[depth];
    // Both declare the area: a start needs one, and a first request the other.
    return {
      layer: names.slice(0, depth).join('/'),
      part: part === 'loaded.ts' ? 'area.ts' : part,
    };
  };
  for (const [file, imported] of imports) {
    const { layer, part } = split(file);
    if (part === undefined) continue;
    const parts = layers.get(layer) ?? new Map();
    layers.set(layer, parts);
    const arrows = parts.get(part) ?? new Set();
    parts.set(part, arrows);
    for (const target of imported.map(split))
      if (target.layer === layer && target.part !== part) arrows.add(target.part);
  }
  return new Map(
    [...layers].map(([layer, parts]) => [
      layer,
      new Map([...parts].map(([part, arrows]) => [part, [...arrows]])),
    ]),
  );
}

/** @param {string} file */
const roomOf = (file) => file.split('/')[0] ?? '';
/** @param {string} file */
const areaOf = (file) => file.split('/')[1];

/**
 * @param {string} name A folder of the project
 * @returns {Imports}
 */
function readImports(name) {
  const files = filesOf(name).filter((file) => !file.endsWith('.test.ts'));
  return new Map(
    files.map((file) => {
      const imported = importsIn(`${name}/${file}`, textOf(name, file)).map((path) => {
        const target = relative(name, path);
        return files.includes(target) ? target : target.replace(/js$/, 'ts');
      });
      return [file, [...new Set(imported)]];
    }),
  );
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** @param {string} folder of the project */
const filesOf = (folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.[jt]s$/.test(file),
  );

/** @param {string} folder @param {string} file */
const textOf = (folder, file) => readFileSync(join(root, folder, file), 'utf8');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = [
    ...faultsOf(readImports('src')),
    ...faultsOfFiles(readImports('pages')),
    ...filesOf('src').flatMap((file) => faultsOfPaths(file, textOf('src', file))),
  ];
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
