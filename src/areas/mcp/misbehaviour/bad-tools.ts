/** Invalid and unexpected tools in a list. */

import type { JsonObject } from '#base/json-object.js';

/** The invalid tool has this name, unless its name is the fault. */
const badToolName = 'bad_tool';
export const illegalToolName = 'bad tool<1>';

export const isBadTool = (name: unknown) => name === badToolName || name === illegalToolName;

export const withProperties = (properties: JsonObject) => ({
  name: badToolName,
  description: 'Its definition is invalid.',
  inputSchema: { type: 'object', properties },
});

const privateTool = 'private_tool_';

/** The tool of one token. */
export const toolOf = (reader: string) => privateTool + reader;

/** Whether only another token was given this tool. */
export const isToolOfOther = (name: string, reader: string) =>
  name.startsWith(privateTool) && name !== toolOf(reader);
