/** Writes the addresses that follow from `repository` into package.json, for the package that is published. */

import { readFileSync, writeFileSync } from 'node:fs';
import { addressesOf } from './addresses.js';

const file = new URL('../../package.json', import.meta.url);
const project = JSON.parse(readFileSync(file, 'utf8'));
const complete = { ...project, ...addressesOf(project, undefined) };
writeFileSync(file, `${JSON.stringify(complete, null, 2)}\n`);
