export const repositoryJson = (more: Record<string, unknown> = {}) => ({
  id: 1,
  name: 'Hello-World',
  full_name: 'octocat/Hello-World',
  html_url: 'https://github.com/octocat/Hello-World',
  description: 'My first repository on GitHub!',
  stargazers_count: 3120,
  forks_count: 2,
  open_issues_count: 1,
  owner: {
    login: 'octocat',
    avatar_url: 'https://avatars.githubusercontent.com/u/1',
    html_url: 'https://github.com/octocat',
  },
  ...more,
})
