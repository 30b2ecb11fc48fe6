/** Fields of the API that have no function here, and so must be absent, null or empty. */

import {
  anyObject,
  fieldOf,
  list,
  nullable,
  optional,
  type Part,
  pathTo,
  readPart,
  reject,
} from '../fields.js';

/** Fields that also exist for counting tokens. */
export const unsupportedFields = [
  'billing_policy',
  'compaction',
  'context_management',
  'mcp_servers',
] as const;

export const unsupportedMessageFields = [
  'container',
  'fallback_credit_token',
  'fallbacks',
  'thread',
] as const;

export function checkUnsupported(body: Part): void {
  rejectFilled(body, ['billing_policy', 'compaction']);
  rejectItems(body, 'mcp_servers');
  const management = nullable(body, 'context_management', anyObject) ?? {};
  rejectItems(readPart(management, 'context_management', ['edits']), 'edits');
}

export function checkUnsupportedInMessage(body: Part): void {
  rejectFilled(body, ['container', 'fallback_credit_token', 'fallbacks']);
}

/** Rejects fields that have a value. */
export function rejectFilled(part: Part, names: readonly string[]): void {
  const name = names.find((each) => fieldOf(part, each) !== undefined);
  if (name !== undefined) rejectField(pathTo(part.path, name));
}

function rejectItems(part: Part, name: string): void {
  const items = optional(part, name, list) ?? [];
  if (items.length > 0) rejectField(pathTo(part.path, name));
}

function rejectField(path: string): never {
  reject(path, 'This field is not supported here; remove it.');
}

/** Rejects a thread in the way that lets SDKs continue without one. */
export function rejectThread(body: Part): void {
  if (fieldOf(body, 'thread') === undefined) return;
  reject('thread', 'Threads are not supported here; send all messages without this field.', {
    details: { error_code: 'thread_unsupported_request', unsupported: [] },
  });
}
