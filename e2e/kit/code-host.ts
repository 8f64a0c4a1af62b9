import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CodeHostAddresses {
  readonly list: string
  readonly empty: string
  /** Answers 500. */
  readonly error: string
  readonly down: string
}

export interface CodeHost extends CodeHostAddresses {
  stop(): Promise<void>
}

export async function startCodeHost(): Promise<CodeHost> {
  const server = createServer((request, response) => {
    const [, mode = '', rest = ''] = /^\/(\w+)(\/.*)$/.exec(request.url ?? '') ?? []
    answer(mode, rest, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    list: `${base}/list`,
    empty: `${base}/empty`,
    error: `${base}/error`,
    down: 'http://127.0.0.1:1',
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answer(mode: string, path: string, response: ServerResponse): void {
  const login = /^\/users\/([^/?]+)\/repos/.exec(path)?.[1]
  if (login === undefined) send(response, 404, { message: 'Not Found' })
  else if (mode === 'error') send(response, 500, { message: 'Server Error' })
  else send(response, 200, mode === 'empty' ? [] : repositories(login))
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify(body))
}

export function repositories(login: string) {
  return [
    repository(login, 1, 'hello-world', 'A first repository.', 2745),
    repository(login, 2, 'quiet-one', null, 0),
    repository(
      login,
      3,
      'a-repository-with-a-rather-long-name-that-must-not-break-the-page',
      'A description that goes on for longer than most do, so that a narrow screen has to wrap it over several lines before it ends, and then cuts it off after the second one.',
      12,
    ),
  ]
}

function repository(login: string, id: number, name: string, description: string | null, stars: number) {
  return {
    id,
    name,
    full_name: `${login}/${name}`,
    html_url: `https://github.com/${login}/${name}`,
    description,
    stargazers_count: stars,
    forks_count: 9,
    open_issues_count: 1,
    owner: {
      login,
      avatar_url: 'https://avatars.githubusercontent.com/u/583231',
      html_url: `https://github.com/${login}`,
    },
  }
}
