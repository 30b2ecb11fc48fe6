/** Whether a misbehaviour applies to a completion; otherwise the response is an ordinary one. */

import { isObject, type JsonObject } from '../../../base/json-object.js';
import type { Completion } from '../messages/conversation.js';
import { changesArguments } from './break-completion.js';
import { brokenStream, type Kind, type Misbehaviour } from './cases.js';

export interface Wanted {
  readonly isStream: boolean;
  readonly body: JsonObject;
  readonly completion: Completion;
}

export function applies(
  { name, at }: Misbehaviour,
  kind: Kind,
  { isStream, body, completion: { text, refusal, calls } }: Wanted,
): boolean {
  if (!brokenStream(name).kinds.includes(kind)) return false;
  if (at === 'arguments' && calls.length === 0) return false;
  const hasText = text !== '' || refusal !== undefined;
  if (at === 'text' && (!hasText || (name === 'split-utf8' && calls.length > 0))) return false;
  if (name === 'no-usage' && kind === 'chat' && !wantsUsage(body)) return false;
  // Messages have arguments as an object, which cannot be broken without a stream.
  return isStream || name === 'html' || (changesArguments(name) && kind !== 'messages');
}

const wantsUsage = ({ stream_options: options }: JsonObject) =>
  isObject(options) && options.include_usage === true;
