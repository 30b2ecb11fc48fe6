/** The rules that every client of the sandbox is judged by. */

import { cite } from '#kit/verdict/citations.js';
import type { Rule } from '#kit/verdict/findings.js';

export const judgeName = 'grpc';

const table = {
  'deadline-sent': {
    level: 'should',
    right: 'Set a deadline for each call.',
    section: cite('gRPC guide Deadlines', 'Deadlines on the Client'),
  },
  'pushback-obeyed': {
    level: 'must',
    right: 'Repeat a call after grpc-retry-pushback-ms; never if it is negative or no number.',
    section: cite('gRPC A6 Client Retries', 'Pushback'),
  },
  'no-retry-after-message': {
    level: 'must',
    right: 'Report a failure after the head of the response; do not repeat the call.',
    section: cite('gRPC A6 Client Retries', 'When Retries are Valid'),
  },
  'safe-retries': {
    level: 'should',
    right: 'Repeat only calls that were not processed, or are marked idempotent.',
    section: cite('gRPC over HTTP2', 'Idempotency and Retries'),
  },
  'attempts-bounded': {
    level: 'should',
    right: 'Send at most five attempts of a call, retried or hedged.',
    section: cite('gRPC A6 Client Retries', 'Limits on Retries and Hedges'),
  },
  'keepalive-pings': {
    level: 'should',
    right: 'Send few PINGs without a call, and fewer after GOAWAY too_many_pings.',
    section: cite('gRPC guide Keepalive', 'Keepalive configuration specification'),
  },
  'etag-on-update': {
    level: 'should',
    right: 'Send the etag that was read with Update and Delete.',
    section: cite('AIP-154', 'Etags on request methods'),
  },
  'page-token-unchanged': {
    level: 'must',
    right: 'Send next_page_token back as it was received.',
    section: cite('AIP-158', 'Opacity'),
  },
} as const satisfies Readonly<Record<string, Omit<Rule, 'name'>>>;

export type RuleName = keyof typeof table;

export const clientRules: readonly Rule[] = Object.entries(table).map(([name, rule]) => ({
  name,
  ...rule,
}));

export const ruleOf = (name: RuleName): Rule => ({ name, ...table[name] });
