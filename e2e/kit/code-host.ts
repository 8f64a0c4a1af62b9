import { sendJson, startLocalCodeHost, wireRepository } from '@ostiary/server/testing/local-code-host'

interface CodeHostAddresses {
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
  const { base, [Symbol.asyncDispose]: stop } = await startLocalCodeHost((request, response) => {
    const [, mode, login] = /^\/(\w+)\/users\/([^/?]+)\/repos/.exec(request.url ?? '') ?? []
    const answer = () => {
      if (login === undefined) return sendJson(404, { message: 'Not Found' })
      if (mode === 'error') return sendJson(500, { message: 'Server Error' })
      return sendJson(200, mode === 'empty' ? [] : repositories(login))
    }
    answer()(request, response)
  })
  return {
    list: `${base}/list`,
    empty: `${base}/empty`,
    error: `${base}/error`,
    down: 'http://127.0.0.1:1',
    stop: async () => await stop(),
  }
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
  const counts = { stargazers_count: stars, open_issues_count: 1 }
  return { ...wireRepository(name, login), id, description, ...counts }
}
