import { readFileSync } from 'node:fs';
import { packageFolder } from './package-folder.js';

const packageFile = new URL('package.json', packageFolder);

/** The version in package.json, which lies beside `src` and beside `dist`. */
export const packageVersion: string = JSON.parse(readFileSync(packageFile, 'utf8')).version;
