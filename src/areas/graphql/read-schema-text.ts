import { readFileSync } from 'node:fs';
import { packageFolder } from '../../package-folder.js';

const schemaFile = new URL('schema.graphql', packageFolder);

/** The text of the schema, as people read it. */
export function readSchemaText(): string {
  return readFileSync(schemaFile, 'utf8');
}
