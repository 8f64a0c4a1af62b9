/** Repeated up to the accepted length. Headers cannot contain a line end or NUL. */
export const PIECES: readonly string[] = [
  ...[
    ' ',
    '\t',
    ',',
    ';',
    '"',
    '=',
    '/',
    '%',
    'a',
    '\\',
    '@',
    '-',
    '.',
    ':',
    '&',
    '+',
    '#',
    '?',
    '*',
    '<',
    '[',
  ],
  ...['{', '(', '_', '~', '1', "'", '|', '`', '$', '^', '!'],
  ...['../', '../', '/./', '//', '%2f', '%2e%2e/', '%%', '%2', '%ff', '%00', '%u0041', '&amp;'],
  ...['=;', '=;=;', '; ,', ' , ', '\t;', ' \t', ', \t', ' =', '= ', ';;', ',;', '"\\"', '\\"', '"",', '":"'],
  ...['a=b; ', 'a=b;', 'a=1&', '=&', 'a[', 'a.', 'a]', 'a b ', 'a,b;q=0.1,', 'q=0.', '*/*,', 'text/html;'],
  ...[
    '1.',
    '1:',
    '::',
    '::1,',
    '127.0.0.1,',
    '[::1]:',
    '1e',
    '-1',
    '0x',
    '00',
    'Bearer ',
    'eyJ',
    'a.b.',
    'W/"',
  ],
  ...[
    '{"a":',
    '[[',
    '[]',
    '{},',
    '__proto__.',
    'constructor.',
    'traits.',
    'en-US,en;q=0.9,',
    'a@',
    '@a.',
    'xn--',
  ],
]

export const TEXT_PIECES: readonly string[] = [
  ...PIECES,
  ...[
    '\n',
    '\r\n',
    '\0',
    'é',
    '漢',
    '😀',
    '\u0301',
    'e\u0301\u0301',
    '\u200d',
    '\u202e',
    'ﷺ',
    'İ',
    'ß',
    '\ufeff',
  ],
  // Marks that must be sorted, some of which combine in NFKC only, and letters of several parts.
  ...['\u0315\u0300', '\u0345\u0300\u0315\u0334', '\u{1d165}\u0300', '\uff9e\u0334', 'a\u0301\u0300\u0315'],
  ...['\u2066', '\u202e\u202c', '\ud800', '\udc00\ud800', '👨\u200d👩\u200d👧\u200d👦', '👍🏽'],
  ...['\u1100', '\u1100\u1161\u11a8', '가\u11a8', 'Σ.', 'ﬃ', '\u0f73'],
]

export function fill(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
}

/** About `bytes` bytes. `member` is where a reader expects a small value. */
export function awkwardJson(member: string, bytes: number): readonly string[] {
  const nested = (open: string, close: string) => {
    const depth = Math.floor(bytes / (open.length + close.length))
    return `{"${member}":${open.repeat(depth)}1${close.repeat(depth)}}`
  }
  const list = (one: (n: number) => string) => {
    const parts: string[] = []
    for (let length = 0; length < bytes; length += (parts.at(-1) ?? '').length + 1)
      parts.push(one(parts.length))
    return parts.join(',')
  }
  return [
    ...[nested('[', ']'), nested('{"a":', '}'), nested('[{"a":', '}]'), nested('{"__proto__":', '}')],
    `{"${member}":[${list(String)}]}`,
    `{"${member}":[${list(() => '[]')}]}`,
    `{"${member}":{${list((n) => `"k${n}":${n}`)}}}`,
    `{${list((n) => `"k${n}":""`)}}`,
    `{${list((n) => `"${member}.${n}":""`)}}`,
    `{${list(() => `"${member}":""`)}}`,
    `{"${member}":${'9'.repeat(bytes)}}`,
    `{"${member}":1e${'9'.repeat(bytes)}}`,
    `{"${member}":-0.${'0'.repeat(bytes)}1}`,
    `{"${member}":"${'\\u0000'.repeat(bytes / 6)}"}`,
    `{"${member}":"${'\\ud800'.repeat(bytes / 6)}"}`,
    `{"${'\\u005f'.repeat(bytes / 6)}":1}`,
    ...['[', '{"a":', '"', '"\\', '1', ' ', '[[]'].map((piece) => fill(piece, bytes)),
  ]
}
