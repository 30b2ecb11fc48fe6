/** Requests that Gemini rejects, and their errors. */

export interface Rejected {
  readonly title: string;
  /** Replaces members of a right body. */
  readonly change: object;
  readonly message: string;
  /** The field of the details, for what is wrong in the form of the body. */
  readonly field?: string;
  /** Default: 400. */
  readonly status?: number;
}

export const rejected: readonly Rejected[] = [
  { title: 'no contents', change: { contents: null }, message: 'contents is required.' },
  {
    title: 'an empty list of contents',
    change: { contents: [] },
    message: 'contents must have at least one content.',
  },
  {
    title: 'contents that are a text',
    change: { contents: 'Hi' },
    message: 'Invalid value at \'contents\': use an array, not "Hi".',
    field: 'contents',
  },
  {
    title: 'a content that is a text',
    change: { contents: ['Hi'] },
    message: 'Invalid value at \'contents[0]\': use an object, not "Hi".',
    field: 'contents[0]',
  },
  {
    title: 'a content without parts',
    change: { contents: [{ role: 'user' }] },
    message: 'contents[0].parts is required.',
  },
  {
    title: 'an empty list of parts',
    change: { contents: [{ parts: [] }] },
    message: 'contents[0].parts must have at least one part.',
  },
  {
    title: 'a part without data',
    change: { contents: [{ parts: [{}] }] },
    message: 'contents[0].parts[0] needs data, such as text.',
  },
  {
    title: 'a part with two kinds of data',
    change: {
      contents: [{ parts: [{ text: 'a', inlineData: { mimeType: 'image/png', data: 'aaaa' } }] }],
    },
    message: 'contents[0].parts[0].inline_data is a second kind of data; a part has one.',
  },
  {
    title: 'a text that is a number',
    change: { contents: [{ parts: [{ text: 5 }] }] },
    message: "Invalid value at 'contents[0].parts[0].text': use a string, not 5.",
    field: 'contents[0].parts[0].text',
  },
  {
    title: 'an unknown member of a part',
    change: { contents: [{ parts: [{ txt: 'a' }] }] },
    message: 'Unknown name "txt" at \'contents[0].parts[0]\': remove it. Did you mean text?',
    field: 'contents[0].parts[0]',
  },
  {
    title: 'the role of another provider',
    change: { contents: [{ role: 'assistant', parts: [{ text: 'a' }] }] },
    message: 'contents[0].role must be user or model.',
  },
  {
    title: 'a member of another provider',
    change: { messages: [] },
    message: 'Unknown name "messages": remove it.',
    field: '',
  },
  {
    title: 'a misspelled member',
    change: { generationConfigs: {} },
    message: 'Unknown name "generationConfigs": remove it. Did you mean generationConfig?',
    field: '',
  },
  {
    title: 'a member at the wrong level',
    change: { temperature: 1 },
    message: 'Unknown name "temperature": remove it.',
    field: '',
  },
  {
    title: 'a temperature above 2',
    change: { generationConfig: { temperature: 2.5 } },
    message: 'generation_config.temperature must be from 0 to 2.',
  },
  {
    title: 'a temperature that is a word',
    change: { generationConfig: { temperature: 'warm' } },
    message: 'Invalid value at \'generation_config.temperature\': use a number, not "warm".',
    field: 'generation_config.temperature',
  },
  {
    title: 'a topP above 1',
    change: { generation_config: { top_p: 1.5 } },
    message: 'generation_config.top_p must be from 0 to 1.',
  },
  {
    title: 'a topK of 0',
    change: { generationConfig: { topK: 0 } },
    message: 'generation_config.top_k must be at least 1.',
  },
  {
    title: 'no output tokens',
    change: { generationConfig: { maxOutputTokens: 0 } },
    message: 'generation_config.max_output_tokens must be at least 1.',
  },
  {
    title: 'more output tokens than the model writes',
    change: { generationConfig: { maxOutputTokens: 99999 } },
    message: 'generation_config.max_output_tokens must be from 1 to 16384.',
  },
  {
    title: 'a decimal number of tokens',
    change: { generationConfig: { maxOutputTokens: 1.5 } },
    message: "Invalid value at 'generation_config.max_output_tokens': use an integer, not 1.5.",
    field: 'generation_config.max_output_tokens',
  },
  {
    title: 'nine candidates',
    change: { generationConfig: { candidateCount: 9 } },
    message: 'generation_config.candidate_count must be from 1 to 8.',
  },
  {
    title: 'six stop sequences',
    change: { generationConfig: { stopSequences: ['a', 'b', 'c', 'd', 'e', 'f'] } },
    message: 'generation_config.stop_sequences must have at most 5 items.',
  },
  {
    title: 'an empty stop sequence',
    change: { generationConfig: { stopSequences: [''] } },
    message: 'generation_config.stop_sequences[0] must not be empty.',
  },
  {
    title: 'an unknown type of response',
    change: { generationConfig: { responseMimeType: 'application/xml' } },
    message:
      'Invalid value at \'generation_config.response_mime_type\', "application/xml": use text/plain, application/json.',
    field: 'generation_config.response_mime_type',
  },
  {
    title: 'a schema without JSON',
    change: { generationConfig: { responseSchema: { type: 'STRING' } } },
    message: 'generation_config.response_mime_type must be application/json.',
  },
  {
    title: 'two schemas',
    change: {
      generationConfig: {
        responseMimeType: 'application/json',
        responseSchema: { type: 'STRING' },
        responseJsonSchema: { type: 'string' },
      },
    },
    message: 'generation_config.response_json_schema cannot be beside response_schema.',
  },
  {
    title: 'an unknown type in a schema',
    change: {
      generationConfig: { responseMimeType: 'application/json', responseSchema: { type: 'TEXT' } },
    },
    message:
      'Invalid value at \'generation_config.response_schema.type\', "TEXT": use STRING, NUMBER, INTEGER, BOOLEAN, ARRAY, OBJECT, NULL.',
    field: 'generation_config.response_schema.type',
  },
  {
    title: 'a keyword that Google does not know',
    change: {
      generationConfig: {
        responseMimeType: 'application/json',
        responseSchema: {
          type: 'OBJECT',
          additionalProperties: false,
          properties: { a: { type: 'STRING' } },
        },
      },
    },
    message:
      'Unknown name "additionalProperties" at \'generation_config.response_schema\': remove it. Did you mean minProperties?',
    field: 'generation_config.response_schema',
  },
  {
    title: 'const in a property',
    change: {
      generationConfig: {
        responseMimeType: 'application/json',
        responseSchema: { type: 'OBJECT', properties: { a: { type: 'STRING', const: 'b' } } },
      },
    },
    message:
      'Unknown name "const" at \'generation_config.response_schema.properties[0].value\': remove it.',
    field: 'generation_config.response_schema.properties[0].value',
  },
  {
    title: 'an enum of numbers',
    change: {
      generationConfig: {
        responseMimeType: 'application/json',
        responseSchema: { type: 'INTEGER', enum: ['1'] },
      },
    },
    message: 'generation_config.response_schema.enum is for the type STRING only.',
  },
  {
    title: 'an array without items',
    change: {
      generationConfig: { responseMimeType: 'application/json', responseSchema: { type: 'ARRAY' } },
    },
    message: 'generation_config.response_schema.items is required.',
  },
  {
    title: 'an object without properties',
    change: {
      generationConfig: {
        responseMimeType: 'application/json',
        responseSchema: { type: 'OBJECT', properties: {} },
      },
    },
    message: 'generation_config.response_schema.properties must not be empty for the type OBJECT.',
  },
  {
    title: 'a required property that is absent',
    change: {
      generationConfig: {
        responseMimeType: 'application/json',
        responseSchema: { type: 'OBJECT', properties: { a: { type: 'STRING' } }, required: ['b'] },
      },
    },
    message: 'generation_config.response_schema.required[0] must be the name of a property.',
  },
  {
    title: 'a format that texts do not have',
    change: {
      generationConfig: {
        responseMimeType: 'application/json',
        responseSchema: { type: 'STRING', format: 'email' },
      },
    },
    message:
      'generation_config.response_schema.format must be enum or date-time for the type STRING.',
  },
  {
    title: 'alternatives without log probabilities',
    change: { generationConfig: { logprobs: 3 } },
    message: 'generation_config.logprobs needs response_logprobs.',
  },
  {
    title: '21 alternatives',
    change: { generationConfig: { responseLogprobs: true, logprobs: 21 } },
    message: 'generation_config.logprobs must be from 0 to 20.',
  },
  {
    title: 'thinking of a model that does not think',
    change: { generationConfig: { thinkingConfig: { thinkingBudget: 100 } } },
    message:
      'generation_config.thinking_config needs a model that thinks, such as practice-1-thinking.',
  },
  {
    title: 'a budget and a level',
    change: { generationConfig: { thinkingConfig: { thinkingBudget: 0, thinkingLevel: 'LOW' } } },
    message:
      'generation_config.thinking_config must have either thinking_budget or thinking_level.',
  },
  {
    title: 'images as a response',
    change: { generationConfig: { responseModalities: ['IMAGE'] } },
    message:
      'Invalid value at \'generation_config.response_modalities[0]\', "IMAGE": use TEXT, MODALITY_UNSPECIFIED.',
    field: 'generation_config.response_modalities[0]',
  },
  {
    title: 'a voice',
    change: { generationConfig: { speechConfig: {} } },
    message: 'generation_config.speech_config is not supported here: the model writes text only.',
  },
  {
    title: 'tools that are an object',
    change: { tools: {} },
    message: "Invalid value at 'tools': use an array, not {}.",
    field: 'tools',
  },
  {
    title: 'a tool of another provider',
    change: { tools: [{ type: 'function', function: { name: 'a' } }] },
    message: 'Unknown name "type" at \'tools[0]\': remove it.',
    field: 'tools[0]',
  },
  {
    title: 'a function without a name',
    change: { tools: [{ functionDeclarations: [{ description: 'a' }] }] },
    message: 'tools[0].function_declarations[0].name is required.',
  },
  {
    title: 'a name that begins with a digit',
    change: { tools: [{ functionDeclarations: [{ name: '1a' }] }] },
    message:
      'tools[0].function_declarations[0].name must be a letter or _, then at most 127 letters, digits, _, ., : and -.',
  },
  {
    title: 'two functions of one name',
    change: { tools: [{ functionDeclarations: [{ name: 'a' }, { name: 'a' }] }] },
    message: 'tools[0].function_declarations[1].name is the name of another function, too.',
  },
  {
    title: 'parameters that are no object',
    change: { tools: [{ functionDeclarations: [{ name: 'a', parameters: { type: 'STRING' } }] }] },
    message: 'tools[0].function_declarations[0].parameters.type must be OBJECT.',
  },
  {
    title: 'parameters in two ways',
    change: {
      tools: [
        {
          functionDeclarations: [
            { name: 'a', parameters: { type: 'OBJECT' }, parametersJsonSchema: { type: 'object' } },
          ],
        },
      ],
    },
    message:
      'tools[0].function_declarations[0].parameters_json_schema cannot be beside parameters.',
  },
  {
    title: 'functions with JSON',
    change: {
      tools: [{ functionDeclarations: [{ name: 'a' }] }],
      generationConfig: { responseMimeType: 'application/json' },
    },
    message: 'generation_config.response_mime_type must be text/plain with functions.',
  },
  {
    title: 'an unknown mode',
    change: { toolConfig: { functionCallingConfig: { mode: 'REQUIRED' } } },
    message:
      'Invalid value at \'tool_config.function_calling_config.mode\', "REQUIRED": use MODE_UNSPECIFIED, AUTO, ANY, NONE, VALIDATED.',
    field: 'tool_config.function_calling_config.mode',
  },
  {
    title: 'a forced call without functions',
    change: { toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
    message: 'tool_config.function_calling_config needs tools with function_declarations.',
  },
  {
    title: 'an allowed function that is absent',
    change: {
      tools: [{ functionDeclarations: [{ name: 'a' }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['b'] } },
    },
    message:
      'tool_config.function_calling_config.allowed_function_names[0] must be the name of a function.',
  },
  {
    title: 'allowed functions with AUTO',
    change: {
      tools: [{ functionDeclarations: [{ name: 'a' }] }],
      toolConfig: { functionCallingConfig: { allowedFunctionNames: ['a'] } },
    },
    message:
      'tool_config.function_calling_config.allowed_function_names needs the mode ANY or VALIDATED.',
  },
  {
    title: 'an unknown category',
    change: { safetySettings: [{ category: 'HARM_CATEGORY_SPAM', threshold: 'BLOCK_NONE' }] },
    message:
      'Invalid value at \'safety_settings[0].category\', "HARM_CATEGORY_SPAM": use HARM_CATEGORY_HARASSMENT, HARM_CATEGORY_HATE_SPEECH, HARM_CATEGORY_SEXUALLY_EXPLICIT, HARM_CATEGORY_DANGEROUS_CONTENT, HARM_CATEGORY_CIVIC_INTEGRITY.',
    field: 'safety_settings[0].category',
  },
  {
    title: 'an unknown threshold',
    change: { safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_ALL' }] },
    message:
      'Invalid value at \'safety_settings[0].threshold\', "BLOCK_ALL": use HARM_BLOCK_THRESHOLD_UNSPECIFIED, BLOCK_LOW_AND_ABOVE, BLOCK_MEDIUM_AND_ABOVE, BLOCK_ONLY_HIGH, BLOCK_NONE, OFF.',
    field: 'safety_settings[0].threshold',
  },
  {
    title: 'two settings of one category',
    change: {
      safetySettings: [
        { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' },
        { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' },
      ],
    },
    message: 'safety_settings[1].category has another setting, too.',
  },
  {
    title: 'an instruction with an image',
    change: {
      systemInstruction: { parts: [{ inlineData: { mimeType: 'image/png', data: 'aaaa' } }] },
    },
    message: 'system_instruction.parts[0] must be text.',
  },
  {
    title: 'cached content',
    change: { cachedContent: 'cachedContents/a' },
    message: "Cached content 'cachedContents/a' is unknown here; remove it.",
    status: 403,
  },
  {
    title: 'another model than in the path',
    change: { model: 'models/practice-1-small' },
    message: 'model must be models/practice-1, as in the path.',
  },
  {
    title: 'an unsupported type of data',
    change: {
      contents: [{ parts: [{ inlineData: { mimeType: 'application/zip', data: 'aaaa' } }] }],
    },
    message:
      'contents[0].parts[0].inline_data.mime_type must be a supported type, such as image/png.',
  },
  {
    title: 'data that are not base64',
    change: { contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: 'a b' } }] }] },
    message: 'contents[0].parts[0].inline_data.data must be base64.',
  },
  {
    title: 'a response without a call',
    change: {
      contents: [
        { parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ text: 'Hi' }] },
        { role: 'user', parts: [{ functionResponse: { name: 'a', response: {} } }] },
      ],
    },
    message: 'contents[2] has 1 function responses for 0 function calls; send one for each.',
  },
  {
    title: 'a call without a response',
    change: {
      contents: [
        { parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ functionCall: { name: 'a' } }] },
        { role: 'user', parts: [{ text: 'Continue' }] },
      ],
    },
    message: 'contents[2] has 0 function responses for 1 function calls; send one for each.',
  },
  {
    title: 'a call at the end',
    change: {
      contents: [
        { parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ functionCall: { name: 'a' } }] },
      ],
    },
    message: 'contents[1] has 0 function responses for 1 function calls; send one for each.',
  },
  {
    title: 'one response for two calls',
    change: {
      contents: [
        { parts: [{ text: 'Hi' }] },
        {
          role: 'model',
          parts: [{ functionCall: { name: 'a' } }, { functionCall: { name: 'b' } }],
        },
        { parts: [{ functionResponse: { name: 'a', response: {} } }] },
      ],
    },
    message: 'contents[2] has 1 function responses for 2 function calls; send one for each.',
  },
  {
    title: 'a response of another function',
    change: {
      contents: [
        { parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ functionCall: { name: 'a' } }] },
        { parts: [{ functionResponse: { name: 'b', response: {} } }] },
      ],
    },
    message: 'contents[2].parts[0].function_response has no function call.',
  },
  {
    title: 'a response with an unknown id',
    change: {
      contents: [
        { parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ functionCall: { name: 'a' } }] },
        { parts: [{ functionResponse: { id: 'x', name: 'a', response: {} } }] },
      ],
    },
    message: 'contents[2].parts[0].function_response has no function call.',
  },
  {
    title: 'a call by a user',
    change: { contents: [{ role: 'user', parts: [{ functionCall: { name: 'a' } }] }] },
    message: 'contents[0].parts[0].function_call must have the role model.',
  },
  {
    title: 'a call at the beginning',
    change: {
      contents: [
        { role: 'model', parts: [{ functionCall: { name: 'a' } }] },
        { parts: [{ functionResponse: { name: 'a', response: {} } }] },
      ],
    },
    message: 'contents[0] has a function call; it must follow a user or a function response.',
  },
  {
    title: 'arguments that are a text',
    change: {
      contents: [
        { parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ functionCall: { name: 'a', args: '{}' } }] },
      ],
    },
    message:
      'Invalid value at \'contents[1].parts[0].function_call.args\': use an object, not "{}".',
    field: 'contents[1].parts[0].function_call.args',
  },
  {
    title: 'a response that is a text',
    change: { contents: [{ parts: [{ functionResponse: { name: 'a', response: 'Rain' } }] }] },
    message:
      'Invalid value at \'contents[0].parts[0].function_response.response\': use an object, not "Rain".',
    field: 'contents[0].parts[0].function_response.response',
  },
  {
    title: 'an altered signature',
    change: {
      contents: [
        { parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ functionCall: { name: 'a' }, thoughtSignature: 'abcd' }] },
        { parts: [{ functionResponse: { name: 'a', response: {} } }] },
      ],
    },
    message:
      'contents[1].parts[0].thought_signature was altered, or belongs to another part; send parts as received.',
  },
];
