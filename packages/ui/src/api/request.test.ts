import { fakeService } from '@ostiary/react/testing/fake-service'
import { expect, test } from 'vitest'
import { callApi } from './request.ts'

const fields = { name: 'Please enter a name' }

test.each([
  [{ code: 'list_full', reason: 'Conflict', message: 'Your list is full' }, 'list_full', 'Your list is full'],
  [{ code: 409, reason: 'Your list is full', message: 'Conflict' }, undefined, 'Your list is full'],
  [
    { code: 'bad_request', message: 'The input is not valid', fields },
    'bad_request',
    'The input is not valid',
  ],
])('a failed call has the code, the sentence and the fields of %o', async (error, code, message) => {
  fakeService({ 'GET /api/v1/account/session': { status: 409, body: { error } } })
  const expected = { status: 409, code, message, fields: 'fields' in error ? fields : undefined }
  await expect(callApi('GET', '/account/session')).rejects.toMatchObject(expected)
})
