/** Invalid definitions of tools. */

import type { JsonObject } from '../../../base/json-object.js';
import type { MisbehaviourName } from './misbehaviours.js';

/** The invalid tool has this name, unless its name is the fault. */
export const badToolName = 'bad_tool';
export const illegalToolName = 'bad tool<1>';

const withProperties = (properties: JsonObject): JsonObject => ({
  name: badToolName,
  description: 'Its definition is invalid.',
  inputSchema: { type: 'object', properties },
});

const header = (name: string, schema: JsonObject = { type: 'string' }) =>
  withProperties({ value: { ...schema, 'x-mcp-header': name } });

const tools: Partial<Record<MisbehaviourName, JsonObject>> = {
  'illegal-tool-name': { ...withProperties({}), name: illegalToolName },
  'header-empty': header(''),
  'header-space': header('My Region'),
  'header-colon': header('Region: eu'),
  'header-control': header('Region\r\nX-Other: 1'),
  'header-non-ascii': header('Région'),
  'header-duplicate': withProperties({
    first: { type: 'string', 'x-mcp-header': 'Region' },
    second: { type: 'string', 'x-mcp-header': 'REGION' },
  }),
  'header-on-object': header('Region', { type: 'object' }),
  'header-on-number': header('Region', { type: 'number' }),
  'header-in-items': withProperties({
    list: { type: 'array', items: { type: 'string', 'x-mcp-header': 'Region' } },
  }),
  'header-in-any-of': withProperties({
    value: { anyOf: [{ type: 'string', 'x-mcp-header': 'Region' }, { type: 'null' }] },
  }),
  'icon-script': {
    ...withProperties({}),
    icons: [{ src: 'javascript:alert(document.domain)', mimeType: 'image/png' }],
  },
};

export interface ListReading {
  /** A URL that no right client requests. */
  readonly canary: string;
  /** How often the list was read. */
  readonly count: number;
  /** Identifies the token of the request. */
  readonly reader: string;
}

const privateTool = 'private_tool_';

/** Whether only another token was given this tool. */
export const isToolOfOther = (name: string, reader: string) =>
  name.startsWith(privateTool) && name !== privateTool + reader;

export function wrongTool(
  name: MisbehaviourName,
  { canary, count, reader }: ListReading,
): JsonObject | undefined {
  if (name === 'network-ref') {
    const tool = withProperties({ value: { $ref: `${canary}#/$defs/value` } });
    return { ...tool, inputSchema: { ...(tool.inputSchema as JsonObject), $schema: dialect } };
  }
  if (name === 'changing-list') return { ...withProperties({}), name: `changing_tool_${count}` };
  if (name === 'private-list') return { ...withProperties({}), name: privateTool + reader };
  return tools[name];
}

const dialect = 'https://json-schema.org/draft/2020-12/schema';
