import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unixCrypt } from './unix-crypt.ts'

const LONG = 'a very much longer text to encrypt.  This one even stretches over morethan one line.'
const SHORT_SALT = 'we have a short salt string but not a short password'

const VECTORS = [
  ['sha256', 'Hello world!', 'saltstring', 5000, '5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5'],
  ['sha256', LONG, 'anotherlongsaltstring', 1400, 'Rx.j8H.h8HjEDGomFU8bDkXm3XIUnzyxf12oP84Bnq1'],
  ['sha256', SHORT_SALT, 'short', 77777, 'JiO1O3ZpDAxGJeaDIuqCoEFysAe1mZNJRs3pw0KQRd/'],
  [
    'sha512',
    'Hello world!',
    'saltstring',
    5000,
    'svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1',
  ],
  [
    'sha512',
    LONG,
    'anotherlongsaltstring',
    1400,
    'POfYwTEok97VWcjxIiSOjiykti.o/pQs.wPvMxQ6Fm7I6IoYN3CmLs66x9t0oSwbtEW7o7UmJEiDwGqd8p4ur1',
  ],
] as const

for (const [digest, password, salt, rounds, expected] of VECTORS) {
  test(`the specification's "${password.slice(0, 12)}" with ${digest} in ${rounds} rounds`, async () => {
    assert.equal(await unixCrypt({ digest, password: Buffer.from(password), salt, rounds }), expected)
  })
}

for (const [password, expected] of [
  ['', 'kjXWClpYD0.j9bPLUk/Ii.'],
  ['a very much longer text to encrypt.  This one even stretches', 'EkzT997HJIvfjgzDe04AL/'],
] as const) {
  test(`what a Unix machine stored with MD5 for ${password.length} letters`, async () => {
    const work = { digest: 'md5', password: Buffer.from(password), salt: 'xyz', rounds: 1000 } as const
    assert.equal(await unixCrypt(work), expected)
  })
}
