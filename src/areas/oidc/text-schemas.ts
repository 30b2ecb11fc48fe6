import { type TSchema, Type } from 'typebox';

export const text = Type.String();
export const optionalText = Type.Optional(text);

/** Describes members that are texts, and may be left out. */
export function optionalTexts(...names: readonly string[]): Record<string, TSchema> {
  return Object.fromEntries(names.map((name) => [name, optionalText]));
}
