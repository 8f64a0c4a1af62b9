import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileGoTemplate } from './evaluate.ts'

const DATA = {
  To: 'ada@example.com',
  Code: '004217',
  Url: 'https://app.example/verify?code=004217&flow=1',
  Minutes: 10,
  Identity: { traits: { name: 'Ada <b>', tags: ['one', 'two'], lang: 'de' } },
  Payload: {},
}

const text = (source: string) => compileGoTemplate(source, 'text')(DATA)
const html = (source: string, data: object = DATA) => compileGoTemplate(source, 'html')(data)

// By Go 1.26 with sprig 3.3.
const TEXTS: readonly (readonly [source: string, filled: string])[] = [
  ['Code {{ .Code }}, {{.Minutes}} min', 'Code 004217, 10 min'],
  ['{{ .Identity.traits.name }}', 'Ada <b>'],
  ['{{ .Identity.traits.missing }}', '<no value>'],
  ['a {{- " b " -}} c', 'a b c'],
  ['a{{/* a remark with }} in it */}}b', 'ab'],
  ['{{ if eq .Identity.traits.lang "de" }}Hallo{{ else }}Hello{{ end }}', 'Hallo'],
  [
    '{{ if eq .Identity.traits.lang "fr" }}A{{ else if eq .Identity.traits.lang "de" "en" }}B{{ else }}C{{ end }}',
    'B',
  ],
  ['{{ with .Identity.traits }}{{ .lang }}{{ $.Code }}{{ end }}', 'de004217'],
  ['{{ with .Payload }}yes{{ else }}no{{ end }}', 'no'],
  ['{{ range $i, $tag := .Identity.traits.tags }}{{ $i }}={{ $tag }};{{ end }}', '0=one;1=two;'],
  ['{{ range .Identity.traits.tags }}{{ . }} {{ else }}none{{ end }}', 'one two '],
  ['{{ $x := "a" }}{{ if true }}{{ $x = "b" }}{{ end }}{{ $x }}', 'b'],
  ['{{ define "hi" }}Hi {{ .name }}{{ end }}{{ template "hi" .Identity.traits }}', 'Hi Ada <b>'],
  ['{{ block "hi" .Code }}[{{ . }}]{{ end }}', '[004217]'],
  ['{{ .To | upper | printf "%s %d%% %q" "x" 5 }}', 'x 5% "ADA@EXAMPLE.COM"'],
  ['{{ (index .Identity.traits.tags 1) | title }}', 'Two'],
  ['{{ default "friend" .Identity.traits.nick }} {{ len .Identity.traits.tags }}', 'friend 2'],
  ['{{ and true "" }}|{{ or "" "b" }}|{{ not 1 }}', '|b|false'],
  ['{{ ternary "a" "b" (gt .Minutes 5) }} {{ add 1 2 3 }} {{ div 7 2 }}', 'a 6 3'],
  [
    '{{ splitList "@" .To | last }} {{ trimSuffix ".com" .To }} {{ substr 0 3 .Code }}',
    'example.com ada@example 004',
  ],
  [
    '{{ cat "a" 1 }} {{ nospace " a b " }} {{ join "-" .Identity.traits.tags }} {{ `raw "text"` }}',
    'a 1 ab one-two raw "text"',
  ],
]

for (const [source, filled] of TEXTS) {
  test(`renders text as Go does: ${source}`, () => assert.equal(text(source), filled))
}

const PAGES: readonly (readonly [source: string, filled: string])[] = [
  ['<p>{{ .Identity.traits.name }}</p>', '<p>Ada &#60;b&#62;</p>'],
  ['<p>{{ .Identity.traits.missing }}</p>', '<p></p>'],
  ['<a href="{{ .Url }}">x</a>', '<a href="https://app.example/verify?code=004217&#38;flow=1">x</a>'],
  [
    '<a href="https://x.example/?to={{ .To }}">x</a>',
    '<a href="https://x.example/?to=ada%40example.com">x</a>',
  ],
  [
    `<p title='{{ .Identity.traits.name }}'>{{ if true }}<b>{{ .Code }}</b>{{ end }}</p>`,
    "<p title='Ada &#60;b&#62;'><b>004217</b></p>",
  ],
  [
    '<style>p { color: red }</style><title>{{ .Code }}</title>',
    '<style>p { color: red }</style><title>004217</title>',
  ],
]

for (const [source, filled] of PAGES) {
  test(`escapes a value by its context: ${source}`, () => assert.equal(html(source), filled))
}

test('no value can start a script', () => {
  for (const url of [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
  ]) {
    assert.equal(html('<a href="{{ .Url }}">x</a>', { Url: url }), '<a href="#">x</a>')
  }
  const name = `"><script>alert('1')</script>\``
  const page = html('<p title="{{ .Name }}">{{ .Name }}</p>', { Name: name })
  assert.doesNotMatch(page.replace('<p title="', ''), /<script|"[^>]|'|`/)
})

const REFUSED: readonly (readonly [source: string, as: 'text' | 'html', why: RegExp])[] = [
  ['{{ if .Code }}', 'text', /line 1: \{\{if\}\} has no \{\{end\}\}/],
  ['a\n{{ end }}', 'text', /line 2: \{\{end\}\} closes nothing/],
  ['{{ .Code', 'text', /line 1: an action is not closed/],
  ['{{ .Code | }}', 'text', /a value is missing/],
  ['{{ (.Code }}', 'text', /a \( is not closed/],
  ['{{ "a }}', 'text', /not closed|unexpected/],
  ['{{ break }}', 'text', /not supported/],
  ['<script>{{ .Code }}</script>', 'html', /no value is allowed in <script>/],
  ['<style>{{ .Code }}</style>', 'html', /no value is allowed in <style>/],
  ['<!-- {{ .Code }} -->', 'html', /no value is allowed in <!-->/],
  ['<p {{ .Code }}>', 'html', /outside of quotes/],
  ['<p title={{ .Code }}>', 'html', /outside of quotes/],
  ['<p onclick="{{ .Code }}">', 'html', /the attribute onclick/],
  ['<p style="color: {{ .Code }}">', 'html', /the attribute style/],
  ['<p {{ if .Code }}title="x"{{ else }}title="{{ end }}">', 'html', /branches of \{\{if\}\}/],
]

for (const [source, as, why] of REFUSED) {
  test(`refuses an unsafe or invalid template: ${source}`, () => {
    assert.throws(() => compileGoTemplate(source, as), why)
  })
}

test('names a misspelled member, function, variable or template', () => {
  assert.throws(() => text('\n{{ .Cod }}'), /line 2: unknown field \.Cod, expected one of: To, Code, Url/)
  assert.throws(() => text('{{ shout .Code }}'), /unknown function shout/)
  assert.throws(() => text('{{ $x }}'), /\$x is not declared/)
  assert.throws(() => text('{{ template "x" }}'), /unknown template "x"/)
  assert.throws(() => text('{{ .Code .To }}'), /only a function takes arguments/)
})

test("reads own members only, never the prototype's", () => {
  assert.equal(text('{{ .Identity.constructor }}{{ index .Identity "__proto__" }}'), '<no value><no value>')
  assert.throws(() => text('{{ constructor .Code }}'), /unknown function constructor/)
})

test('rendering always ends', () => {
  assert.throws(() => text('{{ define "a" }}{{ template "a" }}{{ end }}{{ template "a" }}'), /too deeply/)
  const doubling = `{{ $a := list "x" }}${'{{ $a = list $a $a }}'.repeat(60)}{{ print $a }}`
  assert.throws(() => text(doubling), /too long/)
  const big = { many: Array.from({ length: 300 }, (_, at) => at) }
  const nested = '{{ range .many }}{{ range $.many }}{{ range $.many }}{{ . }}{{ end }}{{ end }}{{ end }}'
  assert.throws(() => compileGoTemplate(nested, 'text')(big), /takes too long/)
  assert.throws(
    () => compileGoTemplate('{{ range .many }}{{ repeat 9000 "x" }}{{ end }}', 'text')(big),
    /too long/,
  )
})

test('a value of 100 KB takes no quadratic time or memory', () => {
  const numbers = Array.from({ length: 9000 }, (_, at) => at)
  const members = Object.fromEntries(numbers.map((at) => [`key${at}`, at]))
  const data = { text: 'a'.repeat(100_000), zeros: `%${'0'.repeat(100_000)}`, numbers, members }
  const render = (source: string) => compileGoTemplate(source, 'text')(data)
  const started = process.cpuUsage()
  assert.equal(render('{{ trimAll "a" .text }}{{ trimAll "b" "bbabb" }}'), 'a')
  assert.equal(render('{{ printf .zeros }}{{ printf "%05d" 1 }}'), `${data.zeros}1`)
  assert.equal(render('{{ 1 }}\n'.repeat(10_000)), '1\n'.repeat(10_000))
  for (const source of ['replace "a" .text .text', 'join .text .numbers', 'repeat 10000 .text'])
    assert.throws(() => render(`{{ len (${source}) }}`), /the result is too long/, source)
  for (const source of ['contains .text .text', 'splitList .text .text', 'replace .text "" .text'])
    assert.throws(() => render(`{{ ${source} }}`), /the search takes too long/, source)
  for (const source of [
    '{{ if upper $.text }}{{ end }}',
    '{{ range $.members }}{{ end }}',
    '{{ if $.members }}{{ end }}',
  ])
    assert.throws(() => render(`{{ range .numbers }}${source}{{ end }}`), /takes too long/, source)
  assert.ok(process.cpuUsage(started).user < 1_500_000)
})

test('urlquery replaces half a character', () => {
  assert.equal(compileGoTemplate('{{ urlquery .Text }}', 'text')({ Text: 'a\ud800b' }), 'a%EF%BF%BDb')
})
