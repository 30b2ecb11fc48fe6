/** Misbehaviours of the list of tools: invalid definitions, and pages without end. */

import type { JsonObject } from '#base/json-object.js';
import { casesOf } from '#kit/misbehaviour/misbehaviour.js';
import { misbehaviourRules } from '../../judge/input-rules.js';
import { sections } from '../../messages/sections.js';
import { byBadTool, byCanary, byManyPages } from '../acceptance.js';
import { illegalToolName, withProperties } from '../bad-tools.js';
import type { Case } from '../case.js';
import { adding, inResult } from '../effects.js';
import { endlessCursor, withoutEndless } from '../endless-cursor.js';

const methods = ['tools/list'];
const leavesOut = 'Leaves the tool out, and keeps the others.';
const dialect = 'https://json-schema.org/draft/2020-12/schema';

const named = (name: string, type = 'string') => ({ type, 'x-mcp-header': name });

/** Adds a tool whose arguments have an invalid header. */
const withHeader = (what: string, properties: JsonObject) =>
  ({
    methods,
    what,
    rightClient: leavesOut,
    section: sections.customHeaders,
    acceptedBy: byBadTool,
    response: adding(() => withProperties(properties)),
  }) satisfies Case;

export const toolListCases = casesOf<Case>()({
  'network-ref': {
    methods,
    what: 'The schema of a tool has a $ref to a URL.',
    rightClient: 'Does not fetch it.',
    section: sections.refResolution,
    acceptedBy: byCanary,
    rule: misbehaviourRules['network-ref'],
    response: adding(({ canary }) => {
      const tool = withProperties({ value: { $ref: `${canary}#/$defs/value` } });
      return { ...tool, inputSchema: { ...tool.inputSchema, $schema: dialect } };
    }),
  },
  'illegal-tool-name': {
    methods,
    what: 'The name of a tool has a space and a bracket.',
    rightClient: leavesOut,
    section: sections.toolNames,
    acceptedBy: byBadTool,
    response: adding(() => ({ ...withProperties({}), name: illegalToolName })),
  },
  'header-empty': withHeader('x-mcp-header is empty.', { value: named('') }),
  'header-space': withHeader('x-mcp-header has a space.', { value: named('My Region') }),
  'header-colon': withHeader('x-mcp-header has a colon.', { value: named('Region: eu') }),
  'header-control': withHeader('x-mcp-header has a line break.', {
    value: named('Region\r\nX-Other: 1'),
  }),
  'header-non-ascii': withHeader('x-mcp-header has a letter beyond ASCII.', {
    value: named('Région'),
  }),
  'header-duplicate': withHeader('Two x-mcp-header differ only in case.', {
    first: named('Region'),
    second: named('REGION'),
  }),
  'header-on-object': withHeader('x-mcp-header is on an object.', {
    value: named('Region', 'object'),
  }),
  'header-on-number': withHeader('x-mcp-header is on a number.', {
    value: named('Region', 'number'),
  }),
  'header-in-items': withHeader('x-mcp-header is below items.', {
    list: { type: 'array', items: named('Region') },
  }),
  'header-in-any-of': withHeader('x-mcp-header is below anyOf.', {
    value: { anyOf: [named('Region'), { type: 'null' }] },
  }),
  'endless-cursor': {
    methods,
    what: 'Each page of the tools has a nextCursor.',
    rightClient: 'Stops after a limit of pages.',
    section: sections.paginationResponses,
    acceptedBy: byManyPages,
    params: withoutEndless,
    response: inResult((result, { params }) => ({ ...result, nextCursor: endlessCursor(params) })),
  },
});
