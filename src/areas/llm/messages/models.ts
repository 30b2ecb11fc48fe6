/** The models, which have no weights. */

export interface Model {
  /** Tokens of the prompt and the completion. */
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  readonly canThink: boolean;
}

export const models = {
  'practice-1': { contextTokens: 128_000, maxOutputTokens: 16_384, canThink: false },
  'practice-1-thinking': { contextTokens: 128_000, maxOutputTokens: 16_384, canThink: true },
  'practice-1-small': { contextTokens: 1000, maxOutputTokens: 500, canThink: false },
} as const satisfies Readonly<Record<string, Model>>;

export type ModelName = keyof typeof models;

export const modelNames = Object.keys(models) as readonly ModelName[];

export function isModel(name: unknown): name is ModelName {
  return typeof name === 'string' && Object.hasOwn(models, name);
}

export const embeddingModel = 'practice-embed';

/** All models were created at this time, in seconds. */
export const createdAt = Date.UTC(2026, 0, 1) / 1000;
