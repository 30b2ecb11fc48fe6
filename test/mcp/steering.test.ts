/** Tools that steer the sandbox. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { callTool, request } from './mcp.js';

const service = useService();
const { send } = service;

const inSandbox = (sandbox: string) => ({ path: `/s/${sandbox}/mcp` });

test('plan_faults plans faults of any request, and its log is read', async () => {
  const rules = [{ match: { path: '/api/Books/1' }, sequence: [{ status: 503 }] }];
  const planned = await callTool(service, 'plan_faults', { rules }, inSandbox('tool-faults'));
  expect(planned.structuredContent.rules[0]).toMatchObject({
    sequence: [{ status: 503 }],
    acted: 0,
  });
  expect((await send('GET /s/tool-faults/api/Books/1')).status).toBe(503);
  expect((await send('GET /s/tool-faults/api/Books/1')).status).toBe(200);
  const log = await callTool(service, 'read_fault_log', {}, inSandbox('tool-faults'));
  expect(log.structuredContent.attempts).toHaveLength(2);
  await callTool(service, 'end_faults', {}, inSandbox('tool-faults'));
  const plan = await callTool(service, 'read_fault_plan', {}, inSandbox('tool-faults'));
  expect(plan.structuredContent.rules).toEqual([]);
});

test.each([
  ['an unknown member', { rules: [{ sequence: [{ state: 503 }] }] }, 'rules.0.sequence.0.state'],
  [
    'a status of no error',
    { rules: [{ sequence: [{ status: 99 }] }] },
    'rules.0.sequence.0.status',
  ],
  ['no sequence', { rules: [{}] }, 'rules.0.sequence'],
  [
    'a denied header',
    { rules: [{ sequence: [{ status: 503, headers: { 'X-Accel-Redirect': '/' } }] }] },
    'X-Accel-Redirect cannot be set',
  ],
])('plan_faults explains %s', async (_what, plan, field) => {
  const result = await callTool(service, 'plan_faults', plan, inSandbox('tool-wrong'));
  expect(result.isError).toBe(true);
  expect(result.content[0].text).toContain(field);
});

test('the shared sandbox has no plan', async () => {
  const result = await callTool(service, 'plan_faults', { rules: [] });
  expect(result).toMatchObject({ isError: true });
});

test('create_bin returns a URL, and read_bin the requests to it', async () => {
  const bin = await callTool(service, 'create_bin', { name: 'Hooks' }, inSandbox('tool-bins'));
  const { id, url, name } = bin.structuredContent;
  expect(name).toBe('Hooks');
  await send(`POST ${new URL(url).pathname}/orders?a=1`, { json: { text: 'x'.repeat(3000) } });
  const read = await callTool(service, 'read_bin', { id }, inSandbox('tool-bins'));
  const [captured] = read.structuredContent.requests;
  expect(captured).toMatchObject({ method: 'POST', subPath: '/orders', queryString: 'a=1' });
  expect(captured.body).toHaveLength(2000);
  const listed = await send('GET /s/tool-bins/api/webhooks/bins');
  expect(listed.json).toHaveLength(1);
});

test.each(['a', 'x'.repeat(22)])('read_bin of %s is an error result', async (id) => {
  const result = await callTool(service, 'read_bin', { id }, inSandbox('tool-none'));
  expect(result.isError).toBe(true);
});

test('tools that change the sandbox need the scope mcp:write', async () => {
  const { json } = await send('POST /oidc/token', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'demo-service',
      client_secret: 'demo-service-secret-of-32-letters',
      scope: 'mcp:read',
      resource: `${service.url}/mcp/protected`,
    }).toString(),
  });
  const headers = { authorization: `Bearer ${json.access_token}` };
  const statusOf = async (name: string, args: object) =>
    (
      await request(
        service,
        'tools/call',
        { name, arguments: args },
        { path: '/mcp/protected', headers },
      )
    ).status;
  expect(await statusOf('plan_faults', { rules: [] })).toBe(403);
  expect(await statusOf('create_bin', {})).toBe(403);
  expect(await statusOf('read_bin', { id: 'a' })).toBe(200);
});
