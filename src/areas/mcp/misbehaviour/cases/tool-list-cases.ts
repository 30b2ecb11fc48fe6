/** Misbehaviours of the list of tools: invalid definitions, and pages without end. */

import { casesOf } from '../../../../kit/misbehaviour/misbehaviour.js';
import { misbehaviourRules } from '../../judge/input-rules.js';
import { byBadTool, byCanary, byManyPages } from '../acceptance.js';
import { illegalToolName, withProperties } from '../bad-tools.js';
import type { Case } from '../case.js';
import { adding, inResult } from '../effects.js';
import { endlessCursor, withoutEndless } from '../endless-cursor.js';

const methods = ['tools/list'];
const leavesOut = 'Leaves the tool out, and keeps the others.';
const dialect = 'https://json-schema.org/draft/2020-12/schema';

const ofHeader = {
  methods,
  acceptedBy: byBadTool,
  section: '2026-07-28, Streamable HTTP, Custom Headers from Tool Parameters',
  rightClient: leavesOut,
} as const;

const named = (name: string, type = 'string') => ({ type, 'x-mcp-header': name });

/** Adds a tool with a header for its argument. */
const withHeader = (name: string, type?: string) =>
  adding(() => withProperties({ value: named(name, type) }));

export const toolListCases = casesOf<Case>()({
  'network-ref': {
    methods,
    what: 'The schema of a tool has a $ref to a URL.',
    rightClient: 'Does not fetch it.',
    section: '2026-07-28, Tools, Security Considerations',
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
    section: '2025-11-25, Tools, Tool Names',
    acceptedBy: byBadTool,
    response: adding(() => ({ ...withProperties({}), name: illegalToolName })),
  },
  'header-empty': { ...ofHeader, what: 'x-mcp-header is empty.', response: withHeader('') },
  'header-space': {
    ...ofHeader,
    what: 'x-mcp-header has a space.',
    response: withHeader('My Region'),
  },
  'header-colon': {
    ...ofHeader,
    what: 'x-mcp-header has a colon.',
    response: withHeader('Region: eu'),
  },
  'header-control': {
    ...ofHeader,
    what: 'x-mcp-header has a line break.',
    response: withHeader('Region\r\nX-Other: 1'),
  },
  'header-non-ascii': {
    ...ofHeader,
    what: 'x-mcp-header has a letter beyond ASCII.',
    response: withHeader('Région'),
  },
  'header-duplicate': {
    ...ofHeader,
    what: 'Two x-mcp-header differ only in case.',
    response: adding(() => withProperties({ first: named('Region'), second: named('REGION') })),
  },
  'header-on-object': {
    ...ofHeader,
    what: 'x-mcp-header is on an object.',
    response: withHeader('Region', 'object'),
  },
  'header-on-number': {
    ...ofHeader,
    what: 'x-mcp-header is on a number.',
    response: withHeader('Region', 'number'),
  },
  'header-in-items': {
    ...ofHeader,
    what: 'x-mcp-header is below items.',
    response: adding(() => withProperties({ list: { type: 'array', items: named('Region') } })),
  },
  'header-in-any-of': {
    ...ofHeader,
    what: 'x-mcp-header is below anyOf.',
    response: adding(() =>
      withProperties({ value: { anyOf: [named('Region'), { type: 'null' }] } }),
    ),
  },
  'endless-cursor': {
    methods,
    what: 'Each page of the tools has a nextCursor.',
    rightClient: 'Stops after a limit of pages.',
    section: 'Pagination, Response Format',
    acceptedBy: byManyPages,
    params: withoutEndless,
    response: inResult((result, { params }) => ({ ...result, nextCursor: endlessCursor(params) })),
  },
});
