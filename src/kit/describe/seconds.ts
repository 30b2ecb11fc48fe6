import { Type } from 'typebox';

/** A parameter in seconds, which may have decimals. */
export const seconds = (description: string, usual: number, maximum: number, minimum = 0) =>
  Type.Number({ minimum, maximum, default: usual, description });
