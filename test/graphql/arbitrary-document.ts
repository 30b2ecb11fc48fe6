import fc from 'fast-check';
import type { GraphQLSchema } from 'graphql';
import { type RandomDocument, writeDocument } from '../../lab/fuzz/write-document.js';

/** Random valid documents over a whole schema, with values for their variables. */
export function arbitraryDocument(schema: GraphQLSchema): fc.Arbitrary<RandomDocument> {
  return fc.gen().map((gen) => writeDocument(schema, (limit) => gen(fc.nat, { max: limit - 1 })));
}
