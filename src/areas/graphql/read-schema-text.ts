import { readFileSync } from 'node:fs';

// Three levels up is the package, from src/areas/graphql as well as from dist/areas/graphql.
const schemaFile = new URL('../../../schema.graphql', import.meta.url);

/** The text of the schema, as people read it. */
export function readSchemaText(): string {
  return readFileSync(schemaFile, 'utf8');
}
