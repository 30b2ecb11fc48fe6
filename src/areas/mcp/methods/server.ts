/** Describes the server to its clients. */

import type { JsonObject } from '#base/json-object.js';
import { packageVersion } from '#base/package/package-files.js';
import { isSince, type Revision } from '../messages/revision.js';
import { tasksExtension } from '../tools/tasks.js';

export const instructions =
  'This server is for testing MCP clients. Its tools read and change practice records; nothing is real.';

export function serverInfo(revision: Revision): JsonObject {
  return {
    name: 'practice-api',
    ...(isSince(revision, '2025-06-18') && { title: 'Practice API' }),
    version: packageVersion,
  };
}

export function capabilitiesOf(revision: Revision): JsonObject {
  return {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    logging: {},
    ...(isSince(revision, '2025-03-26') && { completions: {} }),
    ...(isSince(revision, '2026-07-28') && { extensions: { [tasksExtension]: {} } }),
  };
}
