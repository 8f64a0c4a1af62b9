import { ProductError } from '@ostiary/server'
import type { CodeHost } from './code-host.ts'
import type { Repository } from './types.ts'

/** A copy of octocat's list while GitHub cannot be reached, so that the demo works offline. The response says so. */
export function withSampleRepositories(codeHost: CodeHost): CodeHost {
  return {
    ...codeHost,
    async listUserRepositories(username, userId) {
      try {
        return await codeHost.listUserRepositories(username, userId)
      } catch (error) {
        if (username !== login || !isOutage(error)) throw error
        return { data: sampleRepositories, source: 'sample', age: 0 }
      }
    },
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof ProductError && ['code_host_unavailable', 'rate_limited'].includes(error.code)
}

const login = 'octocat'
const octocat = {
  login,
  avatar_url: 'https://avatars.githubusercontent.com/u/583231?v=4',
  html_url: `https://github.com/${login}`,
}

/** As GitHub listed them on 24 August 2026. */
export const sampleRepositories: Repository[] = [
  copied(132935648, 'boysenberry-repo-1', 473, 'Testing'),
  copied(18221276, 'git-consortium', 603, 'This repo is for demonstration purposes only.'),
  copied(20978623, 'hello-worId', 790, 'My first repository on GitHub.'),
  copied(1296269, 'Hello-World', 3773, 'My first repository on GitHub!'),
  copied(
    64778136,
    'linguist',
    758,
    "Language Savant. If your repository's language is being reported incorrectly, send us a pull request!",
  ),
  copied(17881631, 'octocat.github.io', 1148, null),
  copied(1300192, 'Spoon-Knife', 13_989, 'This repo is for demonstration purposes only.'),
  copied(56271164, 'test-repo1', 482, null),
]

function copied(id: number, name: string, stargazers_count: number, description: string | null): Repository {
  const html_url = `${octocat.html_url}/${name}`
  return { id, name, full_name: `${login}/${name}`, html_url, description, stargazers_count, owner: octocat }
}
