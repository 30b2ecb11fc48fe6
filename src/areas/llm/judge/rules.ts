/** The rules that every client of the sandbox is judged by. */

import { advice, cite } from '#kit/verdict/citations.js';
import type { Rule } from '#kit/verdict/findings.js';

export const judgeName = 'llm';

export interface ClientRule extends Rule {
  readonly what: string;
}

export type RuleName =
  | 'tool-arguments-whole'
  | 'tool-ids-pair'
  | 'thinking-unaltered'
  | 'waits-as-told'
  | 'stops-after-cancel'
  | 'key-not-in-url'
  | 'stops-at-error'
  | 'no-retry-after-content';

/** The sections in which the providers describe streams. */
export const streaming = [
  cite('OpenAI documentation', 'Streaming API responses'),
  cite('Anthropic documentation', 'Streaming Messages'),
  cite('Gemini documentation', 'Text generation'),
  cite('Ollama documentation', 'Streaming'),
].join('; ');

const table: Readonly<Record<RuleName, Omit<ClientRule, 'name'>>> = {
  'tool-arguments-whole': {
    level: 'must',
    what: 'A tool was run with arguments that never were whole.',
    right: 'Parse the arguments once the stream is complete, and run no tool if they are invalid.',
    section: streaming,
  },
  'tool-ids-pair': {
    level: 'must',
    what: 'A tool result has no call, or a call has no result.',
    right: 'Send exactly one result for each call, with its id, in the next message.',
    section: `${cite('OpenAI documentation', 'Function calling')}; ${cite('Anthropic documentation', 'Handle tool calls')}; ${cite('Gemini documentation', 'Function calling')}`,
  },
  'thinking-unaltered': {
    level: 'must',
    what: 'Thinking was altered, doubled or made up, or has lost what followed it.',
    right: 'Send thinking and reasoning back as received, followed by what followed it.',
    section: `${cite('OpenAI documentation', 'Reasoning models')}; ${cite('Anthropic documentation', 'Building with extended thinking')}; ${cite('Gemini documentation', 'Thought signatures')}`,
  },
  'waits-as-told': {
    level: 'must',
    what: 'A request was repeated earlier than Retry-After says, or against x-should-retry.',
    right: 'Wait as long as retry-after or retry-after-ms say, and obey x-should-retry.',
    section: `${cite('OpenAI documentation', 'Rate limits')}; ${cite('Anthropic documentation', 'Rate limits')}`,
  },
  'stops-after-cancel': {
    level: 'advice',
    what: 'A response was read again and again after it was cancelled.',
    right: 'Stop reading a response once it is cancelled.',
    section: advice,
  },
  'key-not-in-url': {
    level: 'must',
    what: 'The key is in the URL, which logs and proxies record.',
    right: 'Send the key in a header only.',
    section: `${cite('OpenAI documentation', 'Authentication')}; ${cite('Anthropic documentation', 'Authentication')}; ${cite('Gemini documentation', 'Using Gemini API keys')}`,
  },
  'stops-at-error': {
    level: 'should',
    what: 'A client continued after an error inside the stream.',
    right: 'Report the error, or send the request again without the fragment.',
    section: streaming,
  },
  'no-retry-after-content': {
    level: 'advice',
    what: 'A stream that the client had closed itself was repeated automatically.',
    right: 'Leave it to the user to repeat a stream that the client has closed.',
    section: advice,
  },
};

export const clientRules: readonly ClientRule[] = Object.entries(table).map(([name, rule]) => ({
  name,
  ...rule,
}));

export function ruleNamed(name: string): ClientRule | undefined {
  return clientRules.find((each) => each.name === name);
}
