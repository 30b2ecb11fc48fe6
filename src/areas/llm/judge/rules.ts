/** The rules that every client of the sandbox is judged by. */

import type { Rule } from '../../../kit/verdict/findings.js';

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

const openaiStreaming = 'OpenAI, Streaming API responses';
const anthropicStreaming = 'Anthropic, Streaming Messages';

const table: Readonly<Record<RuleName, Omit<ClientRule, 'name'>>> = {
  'tool-arguments-whole': {
    what: 'A tool was run with arguments that never were whole.',
    right: 'Parse the arguments once the stream is complete, and run no tool if they are invalid.',
    section: `${openaiStreaming}; ${anthropicStreaming}`,
  },
  'tool-ids-pair': {
    what: 'A tool result has no call, or a call has no result.',
    right: 'Send exactly one result for each call, with its id, in the next message.',
    section: 'OpenAI, Function calling; Anthropic, Tool use',
  },
  'thinking-unaltered': {
    what: 'Thinking was altered, doubled or made up, or has lost what followed it.',
    right: 'Send thinking and reasoning back as received, followed by what followed it.',
    section: 'OpenAI, Reasoning models; Anthropic, Extended thinking',
  },
  'waits-as-told': {
    what: 'A request was repeated earlier than Retry-After says, or against x-should-retry.',
    right: 'Wait as long as retry-after or retry-after-ms say, and obey x-should-retry.',
    section: 'OpenAI, Rate limits; Anthropic, Rate limits',
  },
  'stops-after-cancel': {
    level: 'advice',
    what: 'A response was read again and again after it was cancelled.',
    right: 'Stop reading a response once it is cancelled.',
    section: 'advice',
  },
  'key-not-in-url': {
    what: 'The key is in the URL, which logs and proxies record.',
    right: 'Send the key in a header only.',
    section: 'RFC 9700, section 4.3.2',
  },
  'stops-at-error': {
    level: 'should',
    what: 'A client continued after an error inside the stream.',
    right: 'Report the error, or send the request again without the fragment.',
    section: `${openaiStreaming}; ${anthropicStreaming}`,
  },
  'no-retry-after-content': {
    level: 'advice',
    what: 'A stream that the client had closed itself was repeated automatically.',
    right: 'Leave it to the user to repeat a stream that the client has closed.',
    section: 'advice',
  },
};

export const clientRules: readonly ClientRule[] = Object.entries(table).map(([name, rule]) => ({
  name,
  ...rule,
}));

export function ruleNamed(name: string): ClientRule | undefined {
  return clientRules.find((each) => each.name === name);
}
