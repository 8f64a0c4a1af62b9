import type { IncomingMessage, ServerResponse } from 'node:http'
import { listenOnLoopback } from '@ostiary/identity/testing/servers/loopback'

type Reply = (request: IncomingMessage, response: ServerResponse) => void

export interface LocalCodeHost extends AsyncDisposable {
  readonly base: string
  readonly requests: { readonly url: string; readonly headers: IncomingMessage['headers'] }[]
  reply: Reply
}

/** A real local server instead of GitHub. */
export async function startLocalCodeHost(reply: Reply = sendRepositories()): Promise<LocalCodeHost> {
  const { url: base, close } = await listenOnLoopback((request, response) => {
    codeHost.requests.push({ url: request.url ?? '', headers: request.headers })
    codeHost.reply(request, response)
  })
  const codeHost: LocalCodeHost = { base, requests: [], reply, [Symbol.asyncDispose]: close }
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
