/** The keys of the providers, which are public on purpose. */

export const keys = {
  openai: 'sk-practice-openai',
  anthropic: 'sk-practice-anthropic',
  gemini: 'sk-practice-gemini',
  /** Always out of quota. */
  quota: 'sk-practice-quota',
} as const;

const known: readonly unknown[] = Object.values(keys);

/** Whether a value of a query has a key of this service. */
export const hasKey = (value: unknown): boolean =>
  [value].flat().some((each) => known.includes(each));
