/** Paths, limits and schemas of the endpoints of signatures. */

import { Type } from 'typebox';

export const maxBytes = 64 * 1024;

export const baseSchema = Type.Array(Type.String(), {
  description: 'Line by line, as computed by the server.',
});
export const differenceSchema = Type.Union(
  [
    Type.Object({
      part: Type.String({ description: 'A component, a parameter or a field.' }),
      message: Type.String(),
    }),
    Type.Null(),
  ],
  { title: 'SignatureDifference', description: 'Where the signature differs.' },
);
