import { readFileSync } from 'node:fs';
import { lazily } from '../../base/lazily.js';
import { packageFolder } from '../../base/package-folder.js';

/** A comment in the file, after which there are only subscriptions. */
const beforeSubscriptions = '\n# Subscriptions, from here';

const wholeText = lazily(() => readFileSync(new URL('schema.graphql', packageFolder), 'utf8'));

/** Reads the schema text; subscriptions can be left out. */
export function readSchemaText(hasSubscriptions: boolean): string {
  const text = wholeText();
  return hasSubscriptions ? text : text.slice(0, text.indexOf(beforeSubscriptions));
}
