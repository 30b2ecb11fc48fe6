/** Copies of the source in which an area, or a scheme of authentication, is deleted. */

import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importsIn } from '../../scripts/import-graph.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A folder that can be deleted, and the file with the list that names it in one line. */
export interface Part {
  readonly folder: string;
  readonly list: string;
  /** The import path in the list. */
  readonly from: string;
}

function foldersIn(path: string): string[] {
  const entries = readdirSync(join(root, path), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

export const parts: readonly Part[] = [
  ...foldersIn('src/areas').map((name) => ({
    folder: `src/areas/${name}`,
    list: 'src/service.ts',
    from: `./areas/${name}/`,
  })),
  ...foldersIn('src/areas/auth').map((name) => ({
    folder: `src/areas/auth/${name}`,
    list: 'src/areas/auth/area.ts',
    from: `./${name}/`,
  })),
  ...foldersIn('src/areas/http').map((name) => ({
    folder: `src/areas/http/${name}`,
    list: 'src/areas/http/area.ts',
    from: `./${name}/`,
  })),
];

/** Files that a service and the compiler need beside the source. */
const besides = ['data', 'schema.graphql', 'package.json', 'node_modules'];

/**
 * Copies the source to the folder `to` without the parts and their lines; throws unless each has
 * exactly one line.
 */
export function copyWithout(gone: readonly Part[], to: string): void {
  copySource(to);
  for (const part of gone) {
    rmSync(join(to, part.folder), { recursive: true });
    const { lines, imports, entry } = linesOf(part, to);
    const kept = lines.filter((line) => line !== imports && line !== entry);
    writeFileSync(join(to, part.list), kept.join('\n'));
  }
}

/**
 * Copies the source so that each list omits the parts whose folders are in `globalThis.goneParts`
 * when it is loaded; one build serves all of them.
 */
export function copyWithSwitches(to: string): void {
  copySource(to);
  for (const part of parts) {
    const { lines, entry } = linesOf(part, to);
    const listed = entry.trim().replace(/,$/, '');
    const items = listed.startsWith('...') ? listed.slice(3) : `[${listed}]`;
    const isGone = `(globalThis as { goneParts?: string[] }).goneParts?.includes('${part.folder}')`;
    const switched = `  ...(${isGone} ? [] : ${items}),`;
    const changed = lines.map((line) => (line === entry ? switched : line));
    writeFileSync(join(to, part.list), changed.join('\n'));
  }
}

function copySource(to: string): void {
  mkdirSync(to, { recursive: true });
  cpSync(join(root, 'src'), join(to, 'src'), { recursive: true, filter: (path) => !isTest(path) });
  for (const name of besides) symlinkSync(join(root, name), join(to, name));
}

/** Throws unless the list names the part by one import and one line. */
function linesOf({ folder, list, from }: Part, copy: string) {
  const lines = readFileSync(join(copy, list), 'utf8').split('\n');
  const [imports = '', ...moreImports] = lines.filter((line) => line.includes(`from '${from}`));
  const name = /^import \{ (\w+) \}/.exec(imports)?.[1];
  const [entry, ...moreEntries] = lines.filter(
    (line) => line === `  ${name},` || line === `  ...${name},`,
  );
  if (entry === undefined || moreImports.length + moreEntries.length > 0) {
    throw new Error(`${list} names ${folder} otherwise than by one import and one line.`);
  }
  return { lines, imports, entry };
}

/** Files outside the part that import from it. */
export function importersOf({ folder }: Part): string[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => {
    const path = join('src', file);
    if (!path.endsWith('.ts') || path.startsWith(`${folder}/`) || isTest(path)) return false;
    const text = readFileSync(join(root, path), 'utf8');
    return importsIn(path, text).some((target) => target.startsWith(`${folder}/`));
  });
}

function isTest(path: string): boolean {
  return /\.test\.ts$/.test(path);
}
