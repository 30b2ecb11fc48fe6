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
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A folder that can be deleted, and the file with the list that names it in one line. */
export interface Part {
  readonly folder: string;
  readonly list: string;
  /** How the list imports from it. */
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
    list: 'src/areas/auth/routes.ts',
    from: `./${name}/`,
  })),
  ...foldersIn('src/areas/http').map((name) => ({
    folder: `src/areas/http/${name}`,
    list: 'src/areas/http/routes.ts',
    from: `./${name}/`,
  })),
];

/** What a service needs beside its source, and what the compiler does. */
const besides = ['data', 'schema.graphql', 'package.json', 'node_modules'];

/** Makes a copy without the parts and their lines in the folder `to`; throws where one has not just one line. */
export function copyWithout(gone: readonly Part[], to: string): void {
  mkdirSync(to, { recursive: true });
  cpSync(join(root, 'src'), join(to, 'src'), { recursive: true, filter: (path) => !isTest(path) });
  for (const name of besides) symlinkSync(join(root, name), join(to, name));
  for (const { folder, list, from } of gone) {
    rmSync(join(to, folder), { recursive: true });
    const lines = readFileSync(join(to, list), 'utf8').split('\n');
    const imports = lines.filter((line) => line.includes(`from '${from}`));
    const name = /^import \{ (\w+) \}/.exec(imports[0] ?? '')?.[1];
    const entries = lines.filter((line) => line === `  ${name},` || line === `  ...${name},`);
    if (imports.length !== 1 || entries.length !== 1) {
      throw new Error(`${list} names ${folder} otherwise than by one import and one line.`);
    }
    const kept = lines.filter((line) => line !== imports[0] && line !== entries[0]);
    writeFileSync(join(to, list), kept.join('\n'));
  }
}

/** Files outside the part that import from it. */
export function importersOf({ folder }: Part): string[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => {
    const path = join('src', file);
    if (!path.endsWith('.ts') || path.startsWith(`${folder}/`) || isTest(path)) return false;
    const text = readFileSync(join(root, path), 'utf8');
    const imported = [...text.matchAll(/(?:from |import\()'(\.[^']*)'/g)];
    return imported.some(([, target = '']) => {
      return join(dirname(path), target).startsWith(`${folder}/`);
    });
  });
}

function isTest(path: string): boolean {
  return /\.(?:test|contract)\.ts$/.test(path);
}
