import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { assertNone, inside } from './sources.ts'

/** Features that some databases with PostgreSQL's protocol lack or treat differently. */
const BEYOND_STANDARD = [
  /\bpg_\w+|\bto_regclass\b|\bset_config\b|\bclock_timestamp\b|\bjsonb?_\w+|::\w+(\[\])?/g,
  /\bshow (?=\w+$)|\bany(?=\()|\block table\b|\bcollate\b|\bfillfactor\b/g,
  /\b(distinct on|lateral|nextval|setval|currval|serial|bigserial|listen|notify|temp|temporary)\b/gi,
  /\bcreate (?!table|index (?!concurrently))[a-z]+( concurrently)?/g,
]
const SQLITE_ONLY = ['json_array', 'json_group_array']
const QUERY_BUILDER = {
  forUpdate: 'for update',
  forShare: 'for share',
  skipLocked: 'skip locked',
  onConflict: 'on conflict',
  returning: 'returning',
  distinctOn: 'distinct on',
  mergeInto: 'merge',
}

const scale = new URL('../../docs/scale.md', import.meta.url)
const storage = inside('packages/identity/src/storage/')

test('docs/scale.md names what statements need beyond standard SQL', () => {
  const needs = /they need:\n\n((?:- .*\n)+)/.exec(readFileSync(scale, 'utf8'))?.[1] ?? ''
  assert.match(needs, /json_agg/)
  assertNone(
    storage.flatMap(({ path, text }) =>
      namesIn(text)
        .filter((name) => !needs.includes(name))
        .map((name) => `${path}: ${name}`),
    ),
  )
})

test('statements leave no setting in a session, which a pooler would give to another client', () => {
  const settings = storage.flatMap(({ text }) =>
    [...text.matchAll(/set_config\([^)]*\)/g)].map(([call]) => call),
  )
  assert.ok(settings.length >= 2)
  assertNone(settings.filter((call) => !/, true\)$/.test(call)))
  assertNone(storage.map(({ path, text }) => /`set (?!local )/i.test(text) && path))
})

function namesIn(source: string): string[] {
  const texts = [...source.matchAll(/`[^`]*`|'[^'\n]*'|"[^"\n]*"/g)].map(([text]) => text.slice(1, -1))
  const inText = texts.flatMap((text) => BEYOND_STANDARD.flatMap((pattern) => text.match(pattern) ?? []))
  const built = Object.entries(QUERY_BUILDER).flatMap(([method, name]) =>
    source.includes(`.${method}(`) ? [name] : [],
  )
  return [...inText.map((name) => name.trim()).filter((name) => !SQLITE_ONLY.includes(name)), ...built]
}
