/** A server of the Model Context Protocol, in every revision, to test clients against. */

import type { Area } from '#kit/area.js';
import { issuerToken } from '#kit/offers/issuer.js';
import { binsToken, planFaultsToken, writeRecordToken } from '#kit/offers/steering.js';
import { judgeToken } from '#kit/verdict/judge.js';
import { path } from './messages/paths.js';

const loaded = () => import('./loaded.js');

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
  defaults: { beforeFaults: async (request) => (await loaded()).receiveBody(request) },
  failures: {
    negotiated: { below: [path], types: ['application/json'] },
    shape: async (request, failure) => (await loaded()).shape(request, failure),
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
    judgeToken.of(async () => (await loaded()).rulesJudge),
    judgeToken.of(async (_services, offered) => {
      const [{ planJudge }, issuer] = await Promise.all([loaded(), offered.one(issuerToken)]);
      return planJudge(issuer);
    }),
  ],
  needs: [issuerToken, planFaultsToken, writeRecordToken, binsToken],
  isLate: true,
  endpoints: async (services, offered) => (await loaded()).endpoints(services, offered),
} satisfies Area;
