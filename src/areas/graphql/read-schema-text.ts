import { lazily } from '#base/lazily.js';
import { readPackageFile } from '#base/package/package-files.js';

/** A comment in the file, after which there are only subscriptions. */
const beforeSubscriptions = '\n# Subscriptions, from here';

const wholeText = lazily(() => String(readPackageFile('schema.graphql')));

/** Reads the schema text; subscriptions can be left out. */
export function readSchemaText(hasSubscriptions: boolean): string {
  const text = wholeText();
  return hasSubscriptions ? text : text.slice(0, text.indexOf(beforeSubscriptions));
}
