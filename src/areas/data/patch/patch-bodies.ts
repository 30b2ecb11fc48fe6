/** The bodies that PATCH accepts. `Accept-Patch` and the descriptions derive from them. */

import { type TSchema, Type } from 'typebox';
import { jsonPatchType } from './parse-json-patch.js';

const text = (description: string) => Type.String({ description });

const jsonPatchSchema = Type.Array(
  Type.Object({
    op: Type.String({ enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] }),
    path: text('A JSON Pointer (RFC 6901).'),
    from: Type.Optional(text('For move and copy.')),
    value: Type.Optional(Type.Unknown({ description: 'For add, replace and test.' })),
  }),
  { title: 'JsonPatch' },
);

/** Schemas by media type. The first two are a merge patch (RFC 7396), the last is a JSON patch (RFC 6902). */
export function patchBodies(mergePatch: TSchema): Readonly<Record<string, TSchema>> {
  return {
    'application/merge-patch+json': mergePatch,
    'application/json': mergePatch,
    [jsonPatchType]: jsonPatchSchema,
  };
}

export const patchTypes = Object.keys(patchBodies(Type.Unknown()));
export const acceptPatch = patchTypes.join(', ');
