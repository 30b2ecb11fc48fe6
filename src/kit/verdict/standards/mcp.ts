/**
 * The sections of the Model Context Protocol that judges cite. The pages of the specification number
 * their headings themselves.
 */

const source = 'https://github.com/modelcontextprotocol/modelcontextprotocol/blob/b0f60ba5/docs';

const editions = {
  '2026-07-28': '28 July 2026',
  '2025-11-25': '25 November 2025',
  '2025-06-18': '18 June 2025',
  '2024-11-05': '5 November 2024',
} as const;

/** Sections of one page; titles by number. */
const page = <const Sections extends Readonly<Record<string, string>>>(
  revision: keyof typeof editions,
  path: string,
  sections: Sections,
) => ({
  edition: editions[revision],
  readAt: `${source}/specification/${revision}/${path}.mdx`,
  sections,
});

export const mcpStandards = {
  'MCP 2026-07-28 Overview': page('2026-07-28', 'basic/index', {
    '1': 'Messages',
    '1.1': 'Requests',
    '1.2': 'Responses',
    '1.2.1.1': 'ResultType',
    '1.2.2': 'Error Responses',
    '1.3': 'Notifications',
    '5.5': '$ref Resolution',
    '6.1': '_meta',
    '6.2': 'icons',
  }),
  'MCP 2026-07-28 Versioning and Compatibility': page('2026-07-28', 'basic/versioning', {
    '2': 'Protocol Version Negotiation',
  }),
  'MCP 2026-07-28 Streamable HTTP': page('2026-07-28', 'basic/transports/streamable-http', {
    '2': 'Sending Messages',
    '3': 'Receiving Messages',
    '6.1': 'Protocol Version Header',
    '6.2': 'Standard Request Headers',
    '6.3': 'Custom Headers from Tool Parameters',
    '6.3.2': 'Value Encoding',
    '6.3.4': 'Server Behavior for Custom Headers',
    '6.5': 'Server Validation',
    '7.1': 'Earlier Streamable HTTP Revisions',
  }),
  'MCP 2026-07-28 Authorization': page('2026-07-28', 'basic/authorization/index', {
    '8': 'Resource Parameter Implementation',
    '9.1': 'Token Requirements',
    '9.2': 'Token Handling',
    '11.1.2': 'Step-Up Authorization Flow',
  }),
  'MCP 2026-07-28 Cancellation': page('2026-07-28', 'basic/patterns/cancellation', {
    '1': 'Cancellation Flow',
    '2': 'Transport-Specific Cancellation',
    '3': 'Timeouts',
  }),
  'MCP 2026-07-28 Progress': page('2026-07-28', 'basic/patterns/progress', {
    '1': 'Progress Flow',
  }),
  'MCP 2026-07-28 Subscriptions': page('2026-07-28', 'basic/patterns/subscriptions', {
    '1.1': 'Notification Filter',
  }),
  'MCP 2026-07-28 Multi Round-Trip Requests': page('2026-07-28', 'basic/patterns/mrtr', {
    '1.1.2': 'InputResponses',
    '1.3.2': 'Client Requirements (Basic Workflow)',
  }),
  'MCP 2026-07-28 Elicitation': page('2026-07-28', 'client/elicitation', {
    '5': 'Response Actions',
    '8.1': 'Safe URL Handling',
    '8.3': 'Form Mode Security',
  }),
  'MCP 2026-07-28 Sampling': page('2026-07-28', 'client/sampling', {
    '4.1': 'Creating Messages',
  }),
  'MCP 2026-07-28 Roots': page('2026-07-28', 'client/roots', {
    '5.1': 'Root',
  }),
  'MCP 2026-07-28 Tools': page('2026-07-28', 'server/tools', {
    '3.2': 'Calling Tools',
    '5.1.1': 'Tool Names',
    '5.2.7': 'Output Schema',
  }),
  'MCP 2026-07-28 Prompts': page('2026-07-28', 'server/prompts', {
    '3.2': 'Getting a Prompt',
  }),
  'MCP 2026-07-28 Resources': page('2026-07-28', 'server/resources', {
    '3.2': 'Reading Resources',
    '3.5': 'Subscriptions',
  }),
  'MCP 2026-07-28 Caching': page('2026-07-28', 'server/utilities/caching', {
    '3.1': 'Time-to-Live (TTL) Field',
    '3.2': 'Cache Scope Field',
  }),
  'MCP 2026-07-28 Completion': page('2026-07-28', 'server/utilities/completion', {
    '3.1': 'Requesting Completions',
    '3.2': 'Reference Types',
  }),
  'MCP 2026-07-28 Logging': page('2026-07-28', 'server/utilities/logging', {
    '4.1': 'Per-request log level',
  }),
  'MCP 2026-07-28 Pagination': page('2026-07-28', 'server/utilities/pagination', {
    '2': 'Response Format',
    '3': 'Request Format',
    '6': 'Implementation Guidelines',
  }),
  'MCP 2026-07-28 Key Changes': page('2026-07-28', 'changelog', {
    '1': 'Major changes',
  }),
  'MCP 2025-11-25 Overview': page('2025-11-25', 'basic/index', {
    '1': 'Messages',
    '1.1': 'Requests',
    '1.2': 'Responses',
    '1.2.2': 'Error Responses',
    '1.3': 'Notifications',
    '5.1': '_meta',
    '5.2': 'icons',
  }),
  'MCP 2025-11-25 Lifecycle': page('2025-11-25', 'basic/lifecycle', {
    '1.1': 'Initialization',
    '1.1.1': 'Version Negotiation',
    '2': 'Timeouts',
  }),
  'MCP 2025-11-25 Transports': page('2025-11-25', 'basic/transports', {
    '2.1': 'Sending Messages to the Server',
    '2.2': 'Listening for Messages from the Server',
    '2.4': 'Resumability and Redelivery',
    '2.5': 'Session Management',
  }),
  'MCP 2025-11-25 Authorization': page('2025-11-25', 'basic/authorization', {
    '8': 'Resource Parameter Implementation',
    '9.1': 'Token Requirements',
    '9.2': 'Token Handling',
    '10.1.2': 'Step-Up Authorization Flow',
  }),
  'MCP 2025-11-25 Cancellation': page('2025-11-25', 'basic/utilities/cancellation', {
    '1': 'Cancellation Flow',
    '2': 'Behavior Requirements',
  }),
  'MCP 2025-11-25 Progress': page('2025-11-25', 'basic/utilities/progress', {
    '1': 'Progress Flow',
  }),
  'MCP 2025-11-25 Elicitation': page('2025-11-25', 'client/elicitation', {
    '5': 'Response Actions',
    '8.1': 'Safe URL Handling',
    '8.3': 'Form Mode Security',
  }),
  'MCP 2025-11-25 Sampling': page('2025-11-25', 'client/sampling', {
    '4.1': 'Creating Messages',
  }),
  'MCP 2025-11-25 Roots': page('2025-11-25', 'client/roots', {
    '5.1': 'Root',
  }),
  'MCP 2025-11-25 Tools': page('2025-11-25', 'server/tools', {
    '3.2': 'Calling Tools',
    '5.1.1': 'Tool Names',
    '5.2.7': 'Output Schema',
  }),
  'MCP 2025-11-25 Prompts': page('2025-11-25', 'server/prompts', {
    '3.2': 'Getting a Prompt',
  }),
  'MCP 2025-11-25 Resources': page('2025-11-25', 'server/resources', {
    '3.2': 'Reading Resources',
    '3.5': 'Subscriptions',
  }),
  'MCP 2025-11-25 Completion': page('2025-11-25', 'server/utilities/completion', {
    '3.1': 'Requesting Completions',
    '3.2': 'Reference Types',
  }),
  'MCP 2025-11-25 Logging': page('2025-11-25', 'server/utilities/logging', {
    '4.1': 'Setting Log Level',
  }),
  'MCP 2025-11-25 Pagination': page('2025-11-25', 'server/utilities/pagination', {
    '2': 'Response Format',
    '3': 'Request Format',
    '6': 'Implementation Guidelines',
  }),
  'MCP 2025-06-18 Transports': page('2025-06-18', 'basic/transports', {
    '2.7': 'Protocol Version Header',
  }),
  'MCP 2025-06-18 Key Changes': page('2025-06-18', 'changelog', {
    '1': 'Major changes',
  }),
  'MCP 2024-11-05 Transports': page('2024-11-05', 'basic/transports', {
    '2': 'HTTP with SSE',
  }),
  'MCP SEP-2663 Tasks Extension': {
    edition: 'April 2026',
    readAt: `${source}/seps/2663-tasks-extension.mdx`,
    sections: { 'Task Polling': 'Task Polling' },
  },
  'RFC 8414': {
    edition: 'June 2018',
    readAt: 'https://github.com/HeroicKatora/oxide-auth/blob/0b6f2da/docs/rfc8414.txt',
    sections: { '3.3': 'Authorization Server Metadata Validation' },
  },
  'RFC 9728': {
    edition: 'April 2025',
    readAt: 'https://github.com/tex2e/rfc-translater/blob/0295ab02/html/rfc9728.html',
    sections: { '3.3': 'Protected Resource Metadata Validation' },
  },
} as const;
