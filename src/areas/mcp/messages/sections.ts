/** The sections that rules and misbehaviours cite, in the revisions that they are about. */

import { cite } from '#kit/verdict/citations.js';

const both = (...citations: readonly [string, string]) => citations.join('; ');

export const sections = {
  messages: both(cite('MCP 2026-07-28 Overview', '1'), cite('MCP 2025-11-25 Overview', '1')),
  requests: both(cite('MCP 2026-07-28 Overview', '1.1'), cite('MCP 2025-11-25 Overview', '1.1')),
  responses: both(cite('MCP 2026-07-28 Overview', '1.2'), cite('MCP 2025-11-25 Overview', '1.2')),
  errorResponses: both(
    cite('MCP 2026-07-28 Overview', '1.2.2'),
    cite('MCP 2025-11-25 Overview', '1.2.2'),
  ),
  notifications: both(
    cite('MCP 2026-07-28 Overview', '1.3'),
    cite('MCP 2025-11-25 Overview', '1.3'),
  ),
  meta: both(cite('MCP 2026-07-28 Overview', '6.1'), cite('MCP 2025-11-25 Overview', '5.1')),
  metaOfRequests: cite('MCP 2026-07-28 Overview', '6.1'),
  resultType: cite('MCP 2026-07-28 Overview', '1.2.1.1'),
  icons: both(cite('MCP 2026-07-28 Overview', '6.2'), cite('MCP 2025-11-25 Overview', '5.2')),
  initialization: cite('MCP 2025-11-25 Lifecycle', '1.1'),
  versionNegotiation: cite('MCP 2026-07-28 Versioning and Compatibility', '2'),
  anyVersionNegotiation: both(
    cite('MCP 2026-07-28 Versioning and Compatibility', '2'),
    cite('MCP 2025-11-25 Lifecycle', '1.1.1'),
  ),
  timeouts: both(cite('MCP 2026-07-28 Cancellation', '3'), cite('MCP 2025-11-25 Lifecycle', '2')),
  sending: both(
    cite('MCP 2026-07-28 Streamable HTTP', '2'),
    cite('MCP 2025-11-25 Transports', '2.1'),
  ),
  sendingStateless: cite('MCP 2026-07-28 Streamable HTTP', '2'),
  sendingInSession: cite('MCP 2025-11-25 Transports', '2.1'),
  receiving: cite('MCP 2026-07-28 Streamable HTTP', '3'),
  listening: cite('MCP 2025-11-25 Transports', '2.2'),
  resumability: cite('MCP 2025-11-25 Transports', '2.4'),
  sessionManagement: cite('MCP 2025-11-25 Transports', '2.5'),
  httpWithSse: cite('MCP 2024-11-05 Transports', '2'),
  protocolVersionHeader: cite('MCP 2026-07-28 Streamable HTTP', '6.1'),
  sessionVersionHeader: cite('MCP 2025-06-18 Transports', '2.7'),
  requestHeaders: cite('MCP 2026-07-28 Streamable HTTP', '6.2'),
  customHeaders: cite('MCP 2026-07-28 Streamable HTTP', '6.3'),
  customHeaderBehavior: cite('MCP 2026-07-28 Streamable HTTP', '6.3.4'),
  valueEncoding: cite('MCP 2026-07-28 Streamable HTTP', '6.3.2'),
  serverValidation: cite('MCP 2026-07-28 Streamable HTTP', '6.5'),
  earlierRevisions: cite('MCP 2026-07-28 Streamable HTTP', '7.1'),
  oneMessage: both(
    cite('MCP 2026-07-28 Streamable HTTP', '2'),
    cite('MCP 2025-06-18 Key Changes', '1'),
  ),
  noBatches: cite('MCP 2025-06-18 Key Changes', '1'),
  changes: cite('MCP 2026-07-28 Key Changes', '1'),
  tokenRequirements: both(
    cite('MCP 2026-07-28 Authorization', '9.1'),
    cite('MCP 2025-11-25 Authorization', '9.1'),
  ),
  tokenHandling: both(
    cite('MCP 2026-07-28 Authorization', '9.2'),
    cite('MCP 2025-11-25 Authorization', '9.2'),
  ),
  resourceParameter: both(
    cite('MCP 2026-07-28 Authorization', '8'),
    cite('MCP 2025-11-25 Authorization', '8'),
  ),
  stepUp: both(
    cite('MCP 2026-07-28 Authorization', '11.1.2'),
    cite('MCP 2025-11-25 Authorization', '10.1.2'),
  ),
  scopeUnion: cite('MCP 2026-07-28 Authorization', '11.1.2'),
  cancellationFlow: both(
    cite('MCP 2026-07-28 Cancellation', '1'),
    cite('MCP 2025-11-25 Cancellation', '1'),
  ),
  cancellationByTransport: cite('MCP 2026-07-28 Cancellation', '2'),
  cancellationInSession: cite('MCP 2025-11-25 Cancellation', '2'),
  progressFlow: both(cite('MCP 2026-07-28 Progress', '1'), cite('MCP 2025-11-25 Progress', '1')),
  notificationFilter: cite('MCP 2026-07-28 Subscriptions', '1.1'),
  subscriptions: both(
    cite('MCP 2026-07-28 Resources', '3.5'),
    cite('MCP 2025-11-25 Resources', '3.5'),
  ),
  inputResponses: cite('MCP 2026-07-28 Multi Round-Trip Requests', '1.1.2'),
  inputClient: cite('MCP 2026-07-28 Multi Round-Trip Requests', '1.3.2'),
  responseActions: both(
    cite('MCP 2026-07-28 Elicitation', '5'),
    cite('MCP 2025-11-25 Elicitation', '5'),
  ),
  formSecurity: both(
    cite('MCP 2026-07-28 Elicitation', '8.3'),
    cite('MCP 2025-11-25 Elicitation', '8.3'),
  ),
  safeUrls: both(
    cite('MCP 2026-07-28 Elicitation', '8.1'),
    cite('MCP 2025-11-25 Elicitation', '8.1'),
  ),
  sampling: both(cite('MCP 2026-07-28 Sampling', '4.1'), cite('MCP 2025-11-25 Sampling', '4.1')),
  roots: both(cite('MCP 2026-07-28 Roots', '5.1'), cite('MCP 2025-11-25 Roots', '5.1')),
  callingTools: both(cite('MCP 2026-07-28 Tools', '3.2'), cite('MCP 2025-11-25 Tools', '3.2')),
  toolNames: both(cite('MCP 2026-07-28 Tools', '5.1.1'), cite('MCP 2025-11-25 Tools', '5.1.1')),
  refResolution: cite('MCP 2026-07-28 Overview', '5.5'),
  outputSchema: both(cite('MCP 2026-07-28 Tools', '5.2.7'), cite('MCP 2025-11-25 Tools', '5.2.7')),
  gettingPrompts: both(
    cite('MCP 2026-07-28 Prompts', '3.2'),
    cite('MCP 2025-11-25 Prompts', '3.2'),
  ),
  readingResources: both(
    cite('MCP 2026-07-28 Resources', '3.2'),
    cite('MCP 2025-11-25 Resources', '3.2'),
  ),
  timeToLive: cite('MCP 2026-07-28 Caching', '3.1'),
  cacheScope: cite('MCP 2026-07-28 Caching', '3.2'),
  requestingCompletions: both(
    cite('MCP 2026-07-28 Completion', '3.1'),
    cite('MCP 2025-11-25 Completion', '3.1'),
  ),
  referenceTypes: both(
    cite('MCP 2026-07-28 Completion', '3.2'),
    cite('MCP 2025-11-25 Completion', '3.2'),
  ),
  logLevelOfRequest: cite('MCP 2026-07-28 Logging', '4.1'),
  settingLogLevel: cite('MCP 2025-11-25 Logging', '4.1'),
  paginationGuidelines: both(
    cite('MCP 2026-07-28 Pagination', '6'),
    cite('MCP 2025-11-25 Pagination', '6'),
  ),
  paginationRequests: both(
    cite('MCP 2026-07-28 Pagination', '3'),
    cite('MCP 2025-11-25 Pagination', '3'),
  ),
  paginationResponses: both(
    cite('MCP 2026-07-28 Pagination', '2'),
    cite('MCP 2025-11-25 Pagination', '2'),
  ),
  taskPolling: cite('MCP SEP-2663 Tasks Extension', 'Task Polling'),
} as const;
