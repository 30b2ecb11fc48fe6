/** From the text of a document to what can be executed, or to why it cannot. */

import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  type ValidationRule,
  validate,
} from 'graphql';
import { weighPlans } from '../execution/plan-query.js';
import { type ErrorEntry, excess, formatError } from '../request/format-error.js';
import { limits } from '../request/limits.js';
import { countIntrospection } from './count-introspection.js';
import { findMergeConflicts } from './find-merge-conflicts.js';
import { type DocumentSize, type ExecutableDocument, measureDocument } from './measure-document.js';
import { scanDocument } from './scan-document.js';

/** What became of a text: something to execute, or `errors` that say why it cannot be. */
export type PreparedDocument = {
  /** Also of documents with errors, as far as they could be read. */
  readonly operations: readonly OperationDefinitionNode[];
  /** Roughly what keeping it costs, in bytes. */
  readonly weight: number;
} & (
  | (ExecutableDocument & { readonly errors?: undefined })
  | { readonly errors: readonly ErrorEntry[] }
);

/** A token as parsed: itself, its share of the tree, and the tree's places in the text. */
const bytesPerToken = 500;

export function prepareDocument(
  text: string,
  schema: GraphQLSchema,
  rules: readonly ValidationRule[],
): PreparedDocument {
  const bytes = byteLength(text);
  if (bytes > limits.bytes) return rejected(text, excess('bytes', bytes));
  const { tokens, nesting } = scanDocument(text);
  if (tokens > limits.tokens) return rejected(text, excess('tokens', tokens));
  if (nesting > limits.nesting) return rejected(text, excess('nesting', nesting));

  let document: DocumentNode;
  try {
    document = parse(text);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return rejected(text, formatError(error, { code: 'SYNTAX_ERROR' }));
  }
  const size = measureDocument(document);
  const operations = document.definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  );
  const weight = text.length * 2 + tokens * bytesPerToken;
  const excesses = findExcesses(size);
  if (excesses.length > 0) return { operations, errors: excesses, weight };
  const errors = validationErrors(document, size, schema, rules);
  if (errors.length > 0) return { operations, errors, weight };
  const introspectionValues = countIntrospection(schema, document, size.introspections);
  if (introspectionValues > limits.values) {
    return { operations, errors: [excess('values', introspectionValues)], weight };
  }
  const executable = { document, size, introspectionValues };
  return { operations, ...executable, weight: weight + weighPlans(executable) };
}

function rejected(text: string, error: ErrorEntry): PreparedDocument {
  return { operations: [], errors: [error], weight: text.length * 2 };
}

function findExcesses({ depth, fields, aliases, introspections }: DocumentSize): ErrorEntry[] {
  const sizes = { depth, fields, aliases, introspections: introspections.length };
  return (['depth', 'fields', 'aliases', 'introspections'] as const)
    .filter((limit) => sizes[limit] > limits[limit])
    .map((limit) => excess(limit, sizes[limit]));
}

/** In UTF-8, without counting when the response can be known. */
function byteLength(text: string): number {
  return text.length * 3 <= limits.bytes ? text.length : Buffer.byteLength(text);
}

function validationErrors(
  document: DocumentNode,
  size: DocumentSize,
  schema: GraphQLSchema,
  rules: readonly ValidationRule[],
): ErrorEntry[] {
  const broken = validate(schema, document, rules, { maxErrors: limits.errors });
  const room = limits.errors - broken.length;
  const conflicts = size.hasCycle || room <= 0 ? [] : findMergeConflicts(schema, document, room);
  // The one beyond the limit says that there would be more.
  return [...broken, ...conflicts]
    .slice(0, limits.errors)
    .map((error) => formatError(error, error.extensions));
}
