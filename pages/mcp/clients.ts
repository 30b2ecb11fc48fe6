/** How to configure common clients. */

export interface ClientSetup {
  readonly id: string;
  readonly title: string;
  /** Says where to put the text. */
  readonly place: string;
  readonly text: string;
  /** Opens the client, which asks before it adds the server. */
  readonly link?: string;
}

const name = 'practice';

const indented = (value: unknown) => JSON.stringify(value, null, 2);

/** `url` is the URL of the server. */
export function setupsFor(url: string, isProtected: boolean): readonly ClientSetup[] {
  return [
    {
      id: 'claude-code',
      title: 'Claude Code',
      place: isProtected ? 'In a terminal. Then log in with /mcp.' : 'In a terminal.',
      text: `claude mcp add --transport http ${name} ${quoted(url)}`,
    },
    {
      id: 'codex',
      title: 'Codex',
      place: 'In a terminal.',
      text: [
        `codex mcp add ${name} --url ${quoted(url)}`,
        ...(isProtected ? [`codex mcp login ${name}`] : []),
      ].join('\n'),
    },
    {
      id: 'vs-code',
      title: 'VS Code',
      place: 'In .vscode/mcp.json.',
      text: indented({ servers: { [name]: { type: 'http', url } } }),
      link: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, type: 'http', url }))}`,
    },
    {
      id: 'cursor',
      title: 'Cursor',
      place: 'In .cursor/mcp.json.',
      text: indented({ mcpServers: { [name]: { url } } }),
      link: `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${encodeURIComponent(btoa(JSON.stringify({ url })))}`,
    },
    {
      id: 'inspector',
      title: 'Inspector',
      place: 'In a terminal, with Node 22 or newer.',
      text: `npx @modelcontextprotocol/inspector --cli ${quoted(url)} --transport http --method tools/list`,
    },
    {
      id: 'stdio',
      title: 'stdio',
      place: 'In the configuration of a client without HTTP.',
      text: indented({
        mcpServers: { [name]: { command: 'npx', args: ['practice-api', 'mcp', '--url', url] } },
      }),
    },
  ];
}

/** A question mark is a pattern in a shell. */
const quoted = (url: string) => (url.includes('?') ? `'${url}'` : url);
