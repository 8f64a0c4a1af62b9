import { defineSettings, env } from '@ostiary/server'

export const settings = defineSettings({
  DASHBOARD_USER: env.public.text('GitHub user whose repositories the dashboard lists', {
    default: 'octocat',
    matches: /^[a-z\d](?:[a-z\d-]{0,38})$/i,
    error: 'must be a GitHub user name',
  }),
  CODE_HOST_URL: env.url('base URL of the code-hosting API', { default: 'https://api.github.com' }),
  GITHUB_TOKEN: env.secret('raises GitHub’s limit from 60 to 5,000 calls an hour'),
})
