/** How SDKs are pointed at the lab. */

export interface Sdk {
  readonly id: string;
  readonly title: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly code: string;
}

export interface BaseUrls {
  readonly openai: string;
  /** Without the version, which the SDK of Anthropic adds. */
  readonly anthropic: string;
}

export const openaiKey = 'sk-practice-openai';
export const anthropicKey = 'sk-practice-anthropic';

const ask = 'What is the capital of Norway?';

export function sdksFor({ openai, anthropic }: BaseUrls): readonly Sdk[] {
  const ofOpenai = { OPENAI_BASE_URL: openai, OPENAI_API_KEY: openaiKey };
  const ofAnthropic = { ANTHROPIC_BASE_URL: anthropic, ANTHROPIC_API_KEY: anthropicKey };
  return [
    { id: 'openai', title: 'openai', variables: ofOpenai, code: forOpenai },
    {
      id: 'anthropic',
      title: '@anthropic-ai/sdk',
      variables: ofAnthropic,
      code: forAnthropic,
    },
    {
      id: 'ai',
      title: 'ai',
      variables: { ...ofOpenai, ...ofAnthropic, ANTHROPIC_BASE_URL: `${anthropic}/v1` },
      code: forAi,
    },
    {
      id: 'langchain',
      title: 'LangChain',
      variables: { ...ofOpenai, ...ofAnthropic },
      code: forLangchain,
    },
    { id: 'curl', title: 'curl', variables: ofOpenai, code: forCurl },
  ];
}

const forOpenai = `import OpenAI from 'openai';

const client = new OpenAI();
const stream = await client.chat.completions.create({
  model: 'practice-1',
  messages: [{ role: 'user', content: '${ask}' }],
  stream: true,
});
for await (const { choices } of stream) {
  process.stdout.write(choices[0]?.delta.content ?? '');
}`;

const forAnthropic = `import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic();
const message = await client.messages
  .stream({
    model: 'practice-1',
    max_tokens: 100,
    messages: [{ role: 'user', content: '${ask}' }],
  })
  .finalMessage();
console.log(message.content);`;

const forAi = `import { anthropic } from '@ai-sdk/anthropic';
import { openai } from '@ai-sdk/openai';
import { generateText } from 'ai';

for (const model of [openai('practice-1'), anthropic('practice-1')]) {
  const { text } = await generateText({ model, prompt: '${ask}' });
  console.log(text);
}`;

const forLangchain = `import { ChatAnthropic } from '@langchain/anthropic';
import { ChatOpenAI } from '@langchain/openai';

for (const Model of [ChatOpenAI, ChatAnthropic]) {
  const { text } = await new Model({ model: 'practice-1' }).invoke('${ask}');
  console.log(text);
}`;

const forCurl = `curl -N "$OPENAI_BASE_URL/chat/completions" \\
  -H "Authorization: Bearer $OPENAI_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"model": "practice-1", "stream": true, "messages": [{"role": "user", "content": "${ask}"}]}'`;

export const asExports = (variables: Readonly<Record<string, string>>) =>
  Object.entries(variables)
    .map(([name, value]) => `export ${name}=${value}`)
    .join('\n');
