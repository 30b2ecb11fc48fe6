/** The pages of vendors' documentation that the judge of clients of language models cites, by their titles. */

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
} as const;
