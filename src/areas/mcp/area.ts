/** A server of the Model Context Protocol, in every revision, to test clients against. */

import { keyedMac } from '#http/credentials/keyed-mac.js';
import type { Request } from '#http/exchange.js';
import type { ShapedFailure } from '#http/http-error.js';
import type { Area, Failure } from '#kit/area.js';
import { issuerToken } from '#kit/offers/issuer.js';
import type { Offered } from '#kit/offers/offers.js';
import { binsToken, planFaultsToken, writeRecordToken } from '#kit/offers/steering.js';
import type { Services } from '#kit/services.js';
import { judgeToken } from '#kit/verdict/judge.js';
import { datasetsOf } from '#state/rows/datasets-of.js';
import { controlEndpoints } from './control/control-endpoints.js';
import { planJudge, rulesJudge } from './control/judges.js';
import { mcpEndpoints, path, protocolPaths } from './endpoints/endpoints.js';
import { receiveBody, receivedId } from './exchange/receive-body.js';
import { errorMessage } from './messages/message.js';
import { codes, RpcError } from './messages/rpc-error.js';
import type { McpParts } from './model/parts.js';

const needsClient = 'It needs a client of the protocol.';
const needsRun = 'It needs a run that was started before.';

export const mcpArea = {
  name: 'mcp',
  title: 'Model Context Protocol',
  guide: 'mcp',
  summary: 'An MCP server in every revision, with tools, resources, prompts and tasks.',
  front: {
    group: 'ai',
    start: '/mcp/test-plan',
    page: { path },
    purposes: [
      {
        purpose: 'test',
        title: 'MCP clients',
        says: 'A server in every revision, which finds mistakes of clients.',
        base: '/mcp',
        line: 'npx @modelcontextprotocol/inspector --cli {base}/mcp --transport http --method tools/list',
        links: [
          ['Page', '/mcp'],
          ['Test plan', '/guides/mcp/test-your-client'],
          ['Guide', '/guides/mcp'],
        ],
      },
    ],
    banner: (baseUrl) => ['MCP', baseUrl + path],
    examples: () => [
      {
        title: 'Call a tool of the MCP server',
        method: 'POST',
        path,
        headers: {
          Accept: 'application/json, text/event-stream',
          'MCP-Protocol-Version': '2026-07-28',
          'Mcp-Method': 'tools/call',
          'Mcp-Name': 'greet',
        },
        json: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: {
            name: 'greet',
            arguments: { name: 'World' },
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          },
        },
        response: { status: 200, has: 'Hello, World!' },
      },
    ],
  },
  defaults: { beforeFaults: receiveBody },
  failures: {
    negotiated: { below: [path], types: ['application/json'] },
    shape: shapeFailure,
  },
  postman: [
    {
      leftOut: {
        getMcp: needsClient,
        deleteMcp: needsClient,
        getMcpSse: 'Its response does not end by itself, but a collection waits for the end.',
        postMcpMessages: needsClient,
        getMcpTestPlanRunsByRun: needsRun,
        putMcpTestPlanRunsByRunByName: needsRun,
      },
    },
  ],
  offers: [
    judgeToken.of(() => rulesJudge),
    judgeToken.of((_services, offered) => planJudge(offered.one(issuerToken))),
  ],
  needs: [issuerToken, planFaultsToken, writeRecordToken, binsToken],
  async endpoints(services, offered) {
    const parts = await partsOf(services, offered);
    return [...controlEndpoints(parts), ...mcpEndpoints(parts)];
  },
} satisfies Area;

async function partsOf(
  { runtime, limits, sandboxes }: Services,
  offered: Offered,
): Promise<McpParts> {
  return {
    services: { ...runtime, ...limits },
    offered: {
      issuer: offered.one(issuerToken),
      planFaults: offered.one(planFaultsToken),
      writeRecord: offered.one(writeRecordToken),
      bins: offered.one(binsToken),
    },
    datasetOf: datasetsOf(sandboxes.datasets) as McpParts['datasetOf'],
    mac: keyedMac(await runtime.signingKey('mcp', undefined)),
  };
}

/** Writes failures of the service as JSON-RPC errors, except at endpoints that are REST. */
function shapeFailure(request: Request, { status, message }: Failure): ShapedFailure | undefined {
  const { route, method } = request;
  if (route !== undefined && (method === 'PUT' || !protocolPaths.includes(route.path))) {
    return undefined;
  }
  const code = status >= 500 ? codes.internal : codes.invalidRequest;
  const body = JSON.stringify(errorMessage(receivedId(request), new RpcError(code, message)));
  return { contentType: 'application/json; charset=utf-8', body };
}
