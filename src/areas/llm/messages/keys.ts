/** The keys of the providers, which are public on purpose. */

export const keys = {
  openai: 'sk-practice-openai',
  anthropic: 'sk-practice-anthropic',
  gemini: 'sk-practice-gemini',
  /** Always out of quota. */
  quota: 'sk-practice-quota',
} as const;
