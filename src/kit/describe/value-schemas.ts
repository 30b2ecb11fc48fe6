/** Schemas of values that many endpoints describe. */

import { type TSchema, type TSchemaOptions, Type } from 'typebox';

export const text = (description: string) => Type.String({ description });

export const optionalText = (description: string) => Type.Optional(text(description));

export const nullableText = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });

/** Accepts one of some texts. */
export const oneOf = <const Value extends string>(
  values: readonly Value[],
  options: TSchemaOptions & { readonly default?: Value } = {},
) => Type.Unsafe<Value>({ type: 'string', enum: [...values], ...options });

export const anyObject = (description: string) =>
  Type.Unsafe<object>({ type: 'object', additionalProperties: true, description });

export const objectOf = (schema: TSchema, description?: string) =>
  Type.Unsafe<object>({
    type: 'object',
    additionalProperties: schema,
    ...(description !== undefined && { description }),
  });

/** Accepts integers in a range, including both ends. */
export const integer = (minimum: number, maximum: number, description: string, value?: number) =>
  Type.Integer({ minimum, maximum, ...withDefault(value), description });

export const number = (minimum: number, maximum: number, description: string, value?: number) =>
  Type.Number({ minimum, maximum, ...withDefault(value), description });

const withDefault = (value: number | undefined) => (value === undefined ? {} : { default: value });
