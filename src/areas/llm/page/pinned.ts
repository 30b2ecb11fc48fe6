/** Versions of the packages whose types every response and event has. */

export const pinned = { openai: '6.49.0', '@anthropic-ai/sdk': '1.14.0' } as const;
