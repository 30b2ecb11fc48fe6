/** Checks reasoning that a request sends back, as the provider does. */

import { cutText } from '#base/text/cut-text.js';
import type { Sandbox } from '#state/state.js';
import { type MistakeOptions, mistake } from '../../messages/mistake.js';
import { hasSummary, isEncrypted } from './encrypted-reasoning.js';
import { type InputItem, type ReplayedReasoning, unknownItem } from './read-item.js';
import { findItem } from './stored-responses.js';

const rule = 'thinking-unaltered';

/** Throws the error of the provider for reasoning that is not as it was received. */
export async function checkReasoning(
  items: readonly InputItem[],
  isStored: boolean,
  sandbox: Sandbox,
): Promise<void> {
  const seen = new Set<string>();
  for (const [index, { reasoning }] of items.entries()) {
    if (reasoning === undefined) continue;
    const { id, encrypted, path } = reasoning;
    if (id !== undefined && seen.has(id)) {
      throw wrong(`Duplicate item found with id '${id}'. Remove it.`, 'input');
    }
    if (id !== undefined) seen.add(id);
    if (encrypted !== undefined) checkEncrypted(reasoning, encrypted);
    else if (id === undefined) {
      const message = `'${path}' needs its id or its encrypted_content.`;
      throw wrong(message, `${path}.encrypted_content`, 'missing_required_parameter');
    } else await checkStored(reasoning, id, isStored, sandbox);
    if (items[index + 1]?.turn?.role === 'assistant') continue;
    const name = id === undefined ? path : id;
    throw wrong(`Reasoning '${name}' was provided without its required following item.`, 'input');
  }
}

function checkEncrypted({ summary, path }: ReplayedReasoning, encrypted: string): void {
  if (!isEncrypted(encrypted)) {
    const param = `${path}.encrypted_content`;
    const message = `The encrypted content ${cutText(encrypted, 10)} could not be verified.`;
    throw wrong(message, param, 'invalid_encrypted_content');
  }
  if (!hasSummary(encrypted, summary)) throw otherSummary(path);
}

async function checkStored(
  { summary, path }: ReplayedReasoning,
  id: string,
  isStored: boolean,
  sandbox: Sandbox,
): Promise<void> {
  const item = await findItem(sandbox, id);
  if (item?.type !== 'reasoning') {
    const decidedBy = 'Whether the response was stored, and is not too old.';
    throw unknownItem({ value: id }, { rule, ...(isStored && { decidedBy }) });
  }
  const known = item.summary as ReplayedReasoning['summary'];
  const isSame = known.length === summary.length;
  if (!isSame || known.some(({ text }, index) => text !== summary[index]?.text)) {
    throw otherSummary(path);
  }
}

const otherSummary = (path: string) =>
  wrong(
    `Invalid '${path}.summary': it was changed; send the item as received.`,
    `${path}.summary`,
    'invalid_value',
  );

function wrong(message: string, param: string, code: MistakeOptions['code'] = null) {
  return mistake(400, message, { param, code, rule });
}
