/** All tools, in the order of the list. */

import type { Sandbox } from '#state/state.js';
import { hasExtra } from '../model/lists.js';
import type { McpOffers } from '../model/parts.js';
import { askingFixtures } from './asking-fixtures.js';
import { changingFixtures } from './changing-fixtures.js';
import { contentFixtures } from './content-fixtures.js';
import { dataTools } from './data-tools.js';
import { resultTools } from './result-tools.js';
import { steeringTools } from './steering-tools.js';
import { taskTools } from './task-tools.js';
import { timeTools } from './time-tools.js';
import { argumentsOf, readOnly, type Tool, textResult } from './tool.js';

/** All but the tool that comes and goes. */
const permanentTools: readonly Tool[] = [
  ...timeTools,
  ...dataTools,
  ...resultTools,
  ...steeringTools,
  ...taskTools,
  ...contentFixtures,
  ...askingFixtures,
  ...changingFixtures,
];

/** Comes and goes with test_trigger_tool_change. */
const extra: Tool = {
  name: 'extra_tool',
  description: 'Is in the list only at times.',
  inputSchema: argumentsOf(),
  annotations: readOnly,
  run: () => textResult('The extra tool is in the list now.'),
};

const byName: ReadonlyMap<string, Tool> = new Map(permanentTools.map((tool) => [tool.name, tool]));

/** Returns the tools that are always in the list, if the areas that carry them out are present. */
export function toolsWith(offered: McpOffers): readonly Tool[] {
  return permanentTools.filter(({ needs }) => needs === undefined || offered[needs] !== undefined);
}

export async function toolsIn(sandbox: Sandbox, offered: McpOffers): Promise<readonly Tool[]> {
  const tools = toolsWith(offered);
  return (await hasExtra(sandbox, 'tools')) ? [...tools, extra] : tools;
}

/** Returns a tool that is always in the list. */
export function usualTool(name: unknown): Tool | undefined {
  return byName.get(name as string);
}

export async function findTool(sandbox: Sandbox, name: unknown): Promise<Tool | undefined> {
  const known = usualTool(name);
  if (known !== undefined || name !== extra.name) return known;
  return (await hasExtra(sandbox, 'tools')) ? extra : undefined;
}
