/** Versions of the packages whose types every response and event has. */

export const pinned = {
  openai: '6.49.0',
  '@anthropic-ai/sdk': '1.14.0',
  '@google/genai': '2.32.0',
  ollama: '0.6.4',
} as const;
