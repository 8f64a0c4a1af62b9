import { serverFlags } from './server-process.mjs'

/**
 * @typedef {object} Command
 * @property {string} usage
 * @property {string} summary one line for the list of commands
 * @property {string[]} details
 * @property {string[]} node Node's flags and the file to run
 * @property {boolean} [isFixed] whether it takes no arguments
 * @property {boolean} [needsTools] whether it needs the development packages
 * @property {readonly import('./builds.mjs').Name[]} [needsBuild]
 * @property {boolean} [lists] whether it lists its subcommands when run without arguments
 * @property {boolean} [checksSettings] whether to report invalid settings before installing and building
 * @property {boolean} [serves] whether it serves requests, and so hashes passwords
 */

const quiet = '--disable-warning=ExperimentalWarning'

/**
 * A command of the built server.
 * @param {string} name
 * @returns {Pick<Command, 'node' | 'needsBuild'>}
 */
const onServer = (name) => ({ node: [quiet, 'app/dist/server/main.mjs', name], needsBuild: ['server'] })

/** @type {Readonly<Record<string, Command>>} */
export const commands = {
  start: {
    usage: 'npm start',
    summary: 'Start the app on http://localhost:3000.',
    details: [
      'Installs what is missing, builds what changed, brings the database up to date and prints the addresses.',
      'Settings are environment variables; docs/configuration.md lists them.',
      'Ctrl-C stops it.',
    ],
    node: [...serverFlags, 'app/dist/server/main.mjs'],
    needsBuild: ['web', 'server'],
    isFixed: true,
    checksSettings: true,
    serves: true,
  },
  dev: {
    usage: 'npm run dev',
    summary: 'The same, with reload on every change of a source file.',
    details: ['The server restarts when one of its files changes; the web app is served by Vite.'],
    node: ['scripts/dev.mjs'],
    isFixed: true,
    needsTools: true,
    serves: true,
  },
  test: {
    usage: 'npm test [-- [unit|web|faults|e2e [PATTERN]] [-t TITLE] [--all] [--seed NUMBER]]',
    summary: 'Run every test and print how many passed and failed.',
    details: [
      'unit    units and the protocol (node:test)',
      'web     the screens (Vitest)',
      'faults  the built server with failing disks, databases, clocks and replicas (node:test)', // template
      'e2e     journeys in a real browser (Playwright), which is found or installed; CHROME_PATH selects one',
      '',
      'PATTERN  only files whose path contains it',
      '-t TITLE only tests whose title matches this regular expression:',
      "         npm test -- unit protocol/login -t 'wrong password'",
      '',
      'Where there are thousands of cases, a run takes a sample, the same each time. Tests that build whole',
      'projects take turns from commit to commit.',
      '--all          every case (the nightly run, with a new seed)',
      '--seed NUMBER  another sample, and other random input',
    ],
    node: [quiet, 'scripts/test.ts'],
    needsBuild: ['web', 'server'],
    needsTools: true,
  },
  check: {
    usage: 'npm run check',
    summary: 'Format, lint, types, import rules, unused code, size of the web app.',
    details: ['npm run check -- --fix writes what the formatter and the linter can repair by themselves.'],
    node: [quiet, 'scripts/check.ts'],
    needsTools: true,
  },
  identity: {
    usage: 'npm run identity -- --config FILE',
    summary: 'Start the identity service alone.',
    details: [
      "FILE is YAML or JSON with Ory Kratos' own keys; it names the ports, the database and the secrets.",
    ],
    node: [...serverFlags, 'app/dist/server/identity.mjs'],
    needsBuild: ['server'],
    serves: true,
  },
  // #region template
  new: {
    usage: 'npm run new -- FOLDER',
    summary: 'Make a product of your own, or give one that was made so this version of the template.',
    details: [
      '--name NAME            what it is called; default: from FOLDER',
      '--providers A,B|none   sign-in providers that the demo plays: github, google',
      '--sample yes|no        keep the list of repositories and the pages that describe the template',
      '',
      'On a terminal it asks for what is missing. docs/upgrading.md describes the upgrade of a product.',
    ],
    node: [quiet, 'scripts/new/new.ts'],
    needsTools: true,
  },
  conformance: {
    usage: 'npm run conformance [-- URL]',
    summary: 'Check an identity service against the protocol, through the official client.',
    details: [
      'Without a URL it checks the embedded service, which it starts for that, on the database in DSN.',
      'URL          the public API of another service: an Ory Kratos, an Ory Network project',
      '--admin URL  its admin API; without it scenarios that need the operator or an email are skipped;',
      '             ADMIN_TOKEN in the environment is sent there as a bearer token',
      '--only AREA  only areas with that in their name: login, settings, operator …',
      '',
      'The service needs the configuration of packages/conformance/kratos.yaml.',
    ],
    node: [quiet, 'packages/identity-server/test/conformance/main.ts'],
    needsTools: true,
  },
  bench: {
    usage: 'npm run bench [-- --compare] [-- --only NAME] [-- --runs NUMBER]',
    summary: 'Measure the built product, each figure beside its limit on this machine.',
    details: [
      'Prints a table and writes bench/results/<version>.json.',
      '--compare     measure, write nothing, and fail if a figure lost more than a fifth',
      '--only NAME   one scenario only; writes nothing',
      '--runs NUMBER so many runs; each figure is their median',
    ],
    node: [quiet, 'bench/run.ts'],
    needsTools: true,
    needsBuild: ['web', 'server'],
  },
  // #endregion template
  admin: {
    usage: 'npm run admin -- COMMAND',
    summary: 'Give roles, list and retry emails, rotate keys, and list calls of the admin API.',
    details: ['It talks to the admin API of the running server. Without a COMMAND it lists them.'],
    lists: true,
    ...onServer('admin'),
  },
  doctor: {
    usage: 'npm run doctor [-- --deep] [-- --json]',
    summary: 'Check settings, ports, data, database, mail server and providers before a start.',
    details: [
      'Prints a sentence and a remedy for each problem, changes nothing, and exits with 1 if something is broken.',
      '--deep  also read every page of a SQLite database',
      '--json  print the findings as data',
    ],
    ...onServer('doctor'),
  },
  migrate: {
    usage: 'npm run migrate [-- --forget-secrets]',
    summary: 'Bring the database up to date, as a step before the start (MIGRATE=off).',
    details: [
      'DATA_DIR and DATABASE_URL locate the database. A start does the same unless MIGRATE=off.',
      '--forget-secrets  the next start may have any secrets, for those that are lost for good',
    ],
    ...onServer('migrate'),
  },
  backup: {
    usage: 'npm run backup -- FILE',
    summary: 'Write an encrypted copy of the database and its secrets, while the server runs.',
    details: [
      'It asks for a passphrase, or takes it from BACKUP_PASSPHRASE; BACKUP_RECIPIENT names a public key',
      'of age (age1…) instead. DATA_DIR and DATABASE_URL locate the data.',
    ],
    ...onServer('backup'),
  },
  restore: {
    usage: 'npm run restore -- FILE',
    summary: 'Put a backup where the next start looks for its data; nothing is overwritten.',
    details: ['BACKUP_PASSPHRASE or BACKUP_IDENTITY (AGE-SECRET-KEY-1…) decrypts it; else it asks.'],
    ...onServer('restore'),
  },
  export: {
    usage: 'npm run export -- FILE',
    summary: 'Write every account with its password hash, in the form that Ory Kratos imports.',
    details: [
      'FILE ends with .jsonl, .json (one list, for `kratos import identities`) or .csv. An interrupted export of',
      'the same file continues where it ended. It talks to the admin API of the running server.',
    ],
    ...onServer('export'),
  },
  import: {
    usage: 'npm run import -- FILE [--from kratos|auth0|firebase|cognito] | --from-kratos-database DSN',
    summary: 'Create an account for each record of a file, through the admin API of the running server.',
    details: [
      'FILE ends with .jsonl, .ndjson, .json or .csv. Beside it, FILE.refused.jsonl says which records were',
      'refused and why, and an interrupted import continues where it ended.',
      "--hash-config FILE  the parameters of Firebase's hashes, as its console shows them",
    ],
    ...onServer('import'),
  },
  // #region template
  pack: {
    usage: 'npm run pack',
    summary: 'Write the packages to publish.',
    details: ['They are in packages/identity/dist and packages/conformance/dist.'],
    node: [quiet, '--import=./packages/conformance/build.ts', 'packages/identity/build/build.ts'],
    isFixed: true,
    needsTools: true,
  },
  // #endregion template
  image: {
    usage: 'npm run image -- FOLDER',
    summary: 'Write what a container image holds into a folder.',
    details: [
      'The builds, the packages outside of them and Node: the Dockerfile and deploy/my-app.service run it.',
    ],
    node: [quiet, 'scripts/image.mjs'],
    needsBuild: ['web', 'server'],
  },
  screens: {
    usage: 'npm run screens [-- --grep TEXT]',
    summary: 'Take a screenshot of every screen and state into screens/.',
    details: [
      'Needs a browser, found as for npm test. --grep TEXT takes only states with that in their name.',
    ],
    node: [quiet, 'scripts/screens.ts'],
    needsTools: true,
    needsBuild: ['web', 'server'],
  },
}

/** @param {string | undefined} name */
export function helpText(name) {
  const command = name === undefined ? undefined : commands[name]
  if (!command) return overview()
  return [command.usage, '', command.summary, ...command.details].join('\n')
}

function overview() {
  const width = Math.max(...Object.values(commands).map(({ usage }) => usage.length)) + 2
  const lines = Object.values(commands).map(({ usage, summary }) => `  ${usage.padEnd(width)}${summary}`)
  return [...lines, '', 'Each explains itself: npm start -- --help'].join('\n')
}
