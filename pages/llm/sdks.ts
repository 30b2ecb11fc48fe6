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
  /** Without the version, which the SDK of Google adds. */
  readonly gemini: string;
  /** Without `/api`, which the client adds. */
  readonly ollama: string;
}

export const openaiKey = 'sk-practice-openai';
export const anthropicKey = 'sk-practice-anthropic';
export const geminiKey = 'sk-practice-gemini';

const ask = 'What is the capital of Norway?';

export function sdksFor({ openai, anthropic, gemini, ollama }: BaseUrls): readonly Sdk[] {
  const ofOpenai = { OPENAI_BASE_URL: openai, OPENAI_API_KEY: openaiKey };
  const ofAnthropic = { ANTHROPIC_BASE_URL: anthropic, ANTHROPIC_API_KEY: anthropicKey };
  const ofGemini = { GOOGLE_GEMINI_BASE_URL: gemini, GEMINI_API_KEY: geminiKey };
  return [
    { id: 'openai', title: 'openai', variables: ofOpenai, code: forOpenai },
    {
      id: 'anthropic',
      title: '@anthropic-ai/sdk',
      variables: ofAnthropic,
      code: forAnthropic,
    },
    { id: 'gemini', title: '@google/genai', variables: ofGemini, code: forGemini },
    { id: 'ollama', title: 'ollama', variables: { OLLAMA_HOST: ollama }, code: forOllama },
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

const forGemini = `import { GoogleGenAI } from '@google/genai';

const client = new GoogleGenAI({});
const stream = await client.models.generateContentStream({
  model: 'practice-1',
  contents: '${ask}',
});
for await (const { text } of stream) process.stdout.write(text ?? '');`;

const forOllama = `import { Ollama } from 'ollama';

const client = new Ollama({ host: process.env.OLLAMA_HOST });
const { message } = await client.chat({
  model: 'practice-1',
  messages: [{ role: 'user', content: '${ask}' }],
});
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
