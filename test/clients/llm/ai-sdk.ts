/** The package `ai` with its providers of OpenAI, Anthropic and Google. */

import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, type LanguageModel, Output, stepCountIs, streamText, tool } from 'ai';
import {
  abortAtText,
  anthropicKey,
  geminiKey,
  joined,
  type LlmClient,
  type MakeClient,
  model,
  openaiKey,
  weatherTool,
} from './client.js';
import { citySchema, tripSchema } from './schemas.js';

const maxSteps = 5;

export const aiAnthropic = (below: string) =>
  createAnthropic({ apiKey: anthropicKey, baseURL: `${below}/llm/anthropic/v1` });

const aiOpenai = (below: string) =>
  createOpenAI({ apiKey: openaiKey, baseURL: `${below}/llm/openai/v1` });

export const aiSdkChat: MakeClient = (below) => clientOf(aiOpenai(below).chat(model));
export const aiSdkResponses: MakeClient = (below) => clientOf(aiOpenai(below).responses(model));
export const aiSdkAnthropic: MakeClient = (below) => clientOf(aiAnthropic(below)(model));

export const aiGoogle = (below: string, apiKey = geminiKey) =>
  createGoogleGenerativeAI({ apiKey, baseURL: `${below}/llm/gemini/v1beta` });

export const aiSdkGoogle: MakeClient = (below) => clientOf(aiGoogle(below)(model));

function clientOf(languageModel: LanguageModel): LlmClient {
  const common = (prompt: string) => ({ model: languageModel, prompt });
  return {
    text: async (prompt) => (await generateText(common(prompt))).text,
    streamText: (prompt) => joined(streamText(common(prompt)).textStream),
    async useTool(prompt, weather) {
      const result = streamText({
        ...common(prompt),
        stopWhen: stepCountIs(maxSteps),
        tools: {
          [weatherTool.name]: tool({
            description: weatherTool.description,
            inputSchema: citySchema,
            execute: async ({ city }) => weather(city),
          }),
        },
      });
      return result.text;
    },
    async value(prompt) {
      const output = Output.object({ schema: tripSchema });
      return (await generateText({ ...common(prompt), output })).output;
    },
    abort(prompt) {
      const controller = new AbortController();
      const { signal: abortSignal } = controller;
      return abortAtText(streamText({ ...common(prompt), abortSignal }).textStream, controller);
    },
  };
}
