import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, relative, resolve, sep } from 'node:path'
import { messageOf } from '../../errors/errors.ts'
import { merge } from '../../input/json.ts'
import { ConfigError } from '../checks/config-error.ts'
import type { Template } from '../courier.ts'

export async function readText(path: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new ConfigError([
      { path, message: `${file} cannot be read: ${fileProblem(error) ?? messageOf(error)}` },
    ])
  }
}

/** Undefined unless the file system explains it. */
export function fileProblem(error: unknown): string | undefined {
  return PROBLEMS[(error as NodeJS.ErrnoException).code ?? '']
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
}

const PATH = 'courier.template_override_path'

/** `recovery_code/valid/email.subject.gotmpl`. Others are parts of these. */
const MAIN =
  /^(?<name>(?:recovery|verification)(?:_code)?|(?:registration|login)_code(?=.valid))\/(?<kind>valid|invalid)\/(?<member>email\.subject|email\.body|email\.body\.plaintext|sms\.body)\.gotmpl$/

const PLACES: Readonly<Record<string, readonly string[]>> = {
  'email.subject': ['email', 'subject'],
  'email.body': ['email', 'body', 'html'],
  'email.body.plaintext': ['email', 'body', 'plaintext'],
  'sms.body': ['sms', 'body', 'plaintext'],
}

export async function templateFiles(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true }).catch((error: unknown) => {
    const message = `${resolve(folder)} cannot be read: ${fileProblem(error) ?? messageOf(error)}`
    throw new ConfigError([{ path: PATH, message }])
  })
  return all.filter((file) => file.endsWith('.gotmpl')).map((file) => resolve(folder, file))
}

export interface TemplateSource {
  /** Its key or file, for errors. */
  readonly path: string
  readonly text: string
  readonly as: 'text' | 'html'
}

/** In the form of `courier.templates`. */
export async function templatesIn(folder: string, compile: (source: TemplateSource) => Promise<Template>) {
  const files = await templateFiles(folder)
  const templates = files.map(async (file) => {
    const { name, kind, member } = MAIN.exec(relative(folder, file).replaceAll(sep, '/'))?.groups ?? {}
    if (name === undefined || kind === undefined || member === undefined) return {}
    const text = await textOf(file, member, files)
    const steps = [name, kind, ...(PLACES[member] ?? [])]
    const template = await compile({ path: file, text, as: steps.includes('html') ? 'html' : 'text' })
    return steps.reduceRight<object>((inner, step) => ({ [step]: inner }), template)
  })
  return (await Promise.all(templates)).reduce<object>(merge, {})
}

/** As Go, which parses the files with the same beginning into one set. */
async function textOf(file: string, member: string, files: readonly string[]): Promise<string> {
  const parts = files.filter(
    (other) => other !== file && dirname(other) === dirname(file) && basename(other).startsWith(member),
  )
  const [main = '', ...texts] = await Promise.all([file, ...parts].map((one) => readText(PATH, one)))
  const named = parts.map((part, index) => `{{define "${basename(part)}"}}${texts[index]}{{end}}`)
  const isUsed = (_: string, index: number) =>
    main.includes(`"${basename(parts[index] ?? '')}"`) || /\{\{-?\s*define\s/.test(texts[index] ?? '')
  return [main, ...named.filter(isUsed)].join('')
}
