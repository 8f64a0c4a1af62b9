import journeys from './playwright.config.ts'

// `defineConfig` would add the projects of the journeys, which take every picture again.
export default {
  ...journeys,
  testDir: 'screens',
  projects: [
    { name: 'pictures', testIgnore: 'sheet.spec.ts' },
    { name: 'sheet', testMatch: 'sheet.spec.ts', dependencies: ['pictures'] },
  ],
}
