import { expect, test } from 'vitest';
import { revisions } from '../messages/revision.js';
import { fitResult } from './fit-result.js';

const tool = {
  name: 'a',
  title: 'A',
  description: 'A tool.',
  inputSchema: { type: 'object', properties: { title: { type: 'string' } } },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
  icons: [{ src: 'data:image/png;base64,' }],
};

const membersByRevision = {
  '2024-11-05': ['description', 'inputSchema', 'name'],
  '2025-03-26': ['annotations', 'description', 'inputSchema', 'name'],
  '2025-06-18': ['annotations', 'description', 'inputSchema', 'name', 'outputSchema', 'title'],
  '2025-11-25': [
    'annotations',
    'description',
    'icons',
    'inputSchema',
    'name',
    'outputSchema',
    'title',
  ],
};

test.each(Object.entries(membersByRevision))(
  '%s lists a tool with its members',
  (name, members) => {
    const revision = revisions.find((each) => each === name);
    const { tools } = fitResult({ tools: [tool] }, revision as never) as { tools: [typeof tool] };
    expect(Object.keys(tools[0]).sort()).toEqual(members);
    expect(tools[0].inputSchema).toEqual(tool.inputSchema);
  },
);

test('2024-11-05 has neither audio nor links', () => {
  const content = [
    { type: 'audio', data: '', mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'practice://books/1', name: 'books/1' },
  ];
  const result = { content, structuredContent: { a: 1 }, resultType: 'complete' };
  expect(fitResult(result, '2024-11-05')).toEqual({
    content: [
      { type: 'text', text: 'Audio, which this revision cannot carry.' },
      { type: 'text', text: 'practice://books/1' },
    ],
  });
  expect(fitResult(result, '2025-11-25')).toEqual({ content, structuredContent: { a: 1 } });
});

test('arguments of prompts have titles since 2025-06-18', () => {
  const prompts = [{ name: 'p', arguments: [{ name: 'a', title: 'A', required: true }] }];
  expect(fitResult({ prompts }, '2025-03-26')).toEqual({
    prompts: [{ name: 'p', arguments: [{ name: 'a', required: true }] }],
  });
  expect(fitResult({ prompts }, '2025-06-18')).toEqual({ prompts });
});
