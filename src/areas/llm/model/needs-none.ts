/** Whether a tool can be called without arguments. */

import { CheckBudget } from '#json-schema/budget.js';
import { findFaults } from '#json-schema/find-faults.js';
import type { ToolCall, ToolSpec } from '../messages/conversation.js';

/** Checks of a schema against no arguments. */
const maxChecks = 10_000;

/** Whether the tool of a call accepts an empty object. */
export function needsNone({ name }: Pick<ToolCall, 'name'>, tools: readonly ToolSpec[]): boolean {
  const tool = tools.find((each) => each.name === name);
  return (
    tool !== undefined && findFaults(tool.schema, {}, new CheckBudget(maxChecks)).isValid === true
  );
}
