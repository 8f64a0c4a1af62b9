import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../child.mjs'
import type { Choices } from './create.ts'
import { createProject, git } from './create.ts'

/** The product's branch with the template as generated. Git merges what changed between two of its commits. */
const BRANCH = 'template'

export function commitFirst(target: string): void {
  git(['init', '--quiet', '--initial-branch=main'], target)
  commitAll(target, 'Start from')
  git(['branch', BRANCH], target)
}

/** Adds this version of the template to the product's branch, without touching its files. */
export function commitUpgrade(target: string, choices: Choices): void {
  const folder = mkdtempSync(join(tmpdir(), 'template-'))
  git(['worktree', 'add', '--quiet', folder, BRANCH], target)
  try {
    git(['rm', '-r', '--quiet', '.'], folder)
    createProject(folder, choices)
    commitAll(folder, 'Take over')
  } finally {
    git(['worktree', 'remove', '--force', folder], target)
    rmSync(folder, { recursive: true, force: true })
  }
}

function commitAll(folder: string, verb: string): void {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const commit = git(['rev-parse', '--short', 'HEAD'], root)
  git(['add', '--all'], folder)
  const author = hasAuthor(folder) ? [] : ['-c', 'user.name=npm run new', '-c', 'user.email=new@localhost']
  const message = `${verb} the template, version ${version} at ${commit}`
  git([...author, 'commit', '--quiet', '--allow-empty', '--no-verify', '-m', message], folder)
}

function hasAuthor(folder: string): boolean {
  try {
    return git(['config', 'user.email'], folder) !== ''
  } catch {
    return false
  }
}
