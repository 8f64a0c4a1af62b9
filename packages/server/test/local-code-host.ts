import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Reply = (request: IncomingMessage, response: ServerResponse) => void

export interface LocalCodeHost extends AsyncDisposable {
  readonly base: string
  readonly requests: { readonly url: string; readonly headers: IncomingMessage['headers'] }[]
  reply: Reply
}

/** A real local server instead of GitHub. */
export async function startLocalCodeHost(reply: Reply = sendRepositories()): Promise<LocalCodeHost> {
  const server = createServer((request, response) => {
    codeHost.requests.push({ url: request.url ?? '', headers: request.headers })
    codeHost.reply(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const codeHost: LocalCodeHost = {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    reply,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return codeHost
}

export function sendJson(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (_request, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(status === 304 ? undefined : JSON.stringify(body))
  }
}

/** With an ETag, and 304 for a client that has it. */
export function sendRepositories(...names: string[]): Reply {
  return (request, response) => {
    const matches = request.headers['if-none-match'] === '"v1"'
    sendJson(
      matches ? 304 : 200,
      (names.length > 0 ? names : ['hello']).map((name) => wireRepository(name)),
      {
        ETag: '"v1"',
      },
    )(request, response)
  }
}

export function wireRepository(name: string, login = 'octocat') {
  return {
    id: 1296269,
    node_id: 'ignored',
    name,
    full_name: `${login}/${name}`,
    html_url: `https://github.com/${login}/${name}`,
    description: null,
    stargazers_count: 80,
    forks_count: 9,
    open_issues_count: 0,
    private: false,
    owner: {
      login,
      avatar_url: 'https://avatars.githubusercontent.com/u/583231',
      html_url: `https://github.com/${login}`,
      site_admin: false,
    },
  }
}
