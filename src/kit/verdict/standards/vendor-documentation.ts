/** The pages of vendors' documentation that judges of clients cite, by their titles. */

export const vendorDocumentation = {
  'OpenAI documentation': {
    edition: 'July 2026',
    readAt: 'https://developers.openai.com/api/docs/guides',
    seenIn: 'links in other documents',
    sections: {
      Authentication: 'Authentication',
      'Function calling': 'Function calling',
      'Rate limits': 'Rate limits',
      'Reasoning models': 'Reasoning models',
      'Streaming API responses': 'Streaming API responses',
    },
  },
  'Anthropic documentation': {
    edition: 'May 2026',
    readAt: 'https://platform.claude.com/docs/en',
    seenIn: 'stored copies of its pages, and links in other documents',
    sections: {
      Authentication: 'Authentication',
      'Building with extended thinking': 'Building with extended thinking',
      'Handle tool calls': 'Handle tool calls',
      'Rate limits': 'Rate limits',
      'Streaming Messages': 'Streaming Messages',
    },
  },
  'Stripe documentation': {
    edition: 'September 2026',
    readAt: 'https://docs.stripe.com',
    seenIn: 'stored copies of its pages, and links in other documents',
    sections: {
      Authentication: 'Authentication',
      'Idempotent requests': 'Idempotent requests',
      Testing: 'Testing',
    },
  },
  'Gemini documentation': {
    edition: 'July 2026',
    readAt: 'https://ai.google.dev/gemini-api/docs',
    seenIn: 'links in other documents',
    sections: {
      'Function calling': 'Function calling',
      'Text generation': 'Text generation',
      'Thought signatures': 'Thought signatures',
      'Using Gemini API keys': 'Using Gemini API keys',
    },
  },
  'Ollama documentation': {
    edition: 'August 2026',
    readAt: 'https://docs.ollama.com',
    seenIn: 'its sources at github.com/ollama/ollama',
    sections: { Errors: 'Errors', Streaming: 'Streaming', 'Tool calling': 'Tool calling' },
  },
} as const;
