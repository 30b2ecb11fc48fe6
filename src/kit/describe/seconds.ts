import { Type } from 'typebox';

/** Describes a parameter in seconds, with optional decimals. */
export const seconds = (description: string, usual: number, maximum: number, minimum = 0) =>
  Type.Number({ minimum, maximum, default: usual, description });
