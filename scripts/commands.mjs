// The commands of this repository, which products lack or have in another form.

import { serverFlags } from '@ostiary/server/commands'

const quiet = '--disable-warning=ExperimentalWarning'

/** @type {Readonly<Record<string, import('@ostiary/server/commands').Command>>} */
export const commands = {
  test: {
    usage: 'npm test [-- [unit|web|faults|e2e [PATTERN]] [-t TITLE] [--all] [--seed NUMBER]]',
    summary: 'Run every test and print how many passed and failed.',
    details: [
      'unit    units and the protocol (node:test)',
      'web     the screens (Vitest)',
      'faults  the built server with failing disks, databases, clocks and replicas (node:test)',
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
  'test:release': {
    usage: 'npm run test:release',
    summary: 'Publish the packages to a local registry, create a product of them, and update it.',
    details: ['Needs the registry that npm installs from, and a browser, found as for npm test.'],
    node: [quiet, 'scripts/test.ts', 'release'],
    isFixed: true,
    needsTools: true,
  },
  check: {
    usage: 'npm run check',
    summary: 'Format, lint, types, import rules, unused code, size of the web app.',
    details: [
      'npm run check -- --fix writes what the formatter and the linter can repair by themselves, and the documents',
      'that are generated.',
    ],
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
  new: {
    usage: 'npm run new -- FOLDER',
    summary: 'Make a product of your own, or update one that was made so.',
    details: [
      '--name NAME            what it is called; default: from FOLDER',
      '--providers A,B|none   sign-in providers that the demo plays: github, google',
      '--sample yes|no        keep the list of repositories',
      '--registry URL|none    install the packages from there, or from vendor/; default: as the product does',
      '--yes                  ask nothing',
      '',
      'On a terminal it asks for what is missing. In a product, it replaces the packages and scripts/run.mjs.',
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
    node: [quiet, 'packages/kratos/test/conformance/main.ts'],
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
  pack: {
    usage: 'npm run pack',
    summary: 'Write the packages to publish.',
    details: [
      'A tarball of each is in dist/packages. In this folder, publish one with npm publish FILE --allow-file=all.',
    ],
    node: [quiet, 'scripts/pack/pack.ts'],
    isFixed: true,
    needsTools: true,
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
