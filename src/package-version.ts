import { readFileSync } from 'node:fs';

const packageFile = new URL('../package.json', import.meta.url);

/** The version in package.json, which lies beside `src` and beside `dist`. */
export const packageVersion: string = JSON.parse(readFileSync(packageFile, 'utf8')).version;
