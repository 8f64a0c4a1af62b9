import type { Choices } from './create.ts'

/** Files that test, measure or explain the template rather than a product. */
const TEMPLATE = [
  /^bench\//,
  /^template\//,
  /^e2e\/faults\//,
  /^packages\/.*\.test\.tsx?$/,
  /^packages\/identity\/(build|examples|test\/(protocol|fuzz))\//,
  /^packages\/(conformance|identity-server\/test)\//,
  /^docs\/decisions\//,
  /^docs\/(differences-from|specification|threats|screenshot|demo-panel)/,
  /^scripts\/(documents|new)\//,
  /^scripts\/.*\.test\.ts$/,
  /^(CHANGELOG|CONTRIBUTING|SECURITY|README)\.md$/,
]

/** Tests of a product's dependencies, deployment and imports. */
const KEPT =
  /^scripts\/(architecture\/(cycles|imports)|deploy|image|monitoring|supply-chain|tests\/node-tests)\.test\.ts$/

/** The list of repositories, and the pages that describe the template. */
const SAMPLE = [
  /^app\/server\/(cash|code-host)\//,
  /^packages\/server\/test\/(local-code-host|other-service)\.ts$/,
  /^(app\/web\/repositories|packages\/demo\/src\/pages\/showcase)\//,
  /^e2e\/(kit\/code-host|journeys\/pages\/dashboard\.spec)\.ts$/,
]

export function filesOfProduct(all: readonly string[], { sample }: Choices): string[] {
  const left = sample ? TEMPLATE : [...TEMPLATE, ...SAMPLE]
  const idle = left.find((pattern) => !all.some((file) => pattern.test(file)))
  if (idle) throw new Error(`No file matches ${idle}. Correct scripts/new/files.ts.`)
  return all.filter((file) => KEPT.test(file) || !left.some((pattern) => pattern.test(file)))
}
