import { expect, test } from 'vitest'
import { fakeService } from '../testing/fake-service.ts'
import { callApi } from './request.ts'

test.each([
  [{ code: 'list_full', reason: 'Conflict', message: 'Your list is full' }, 'list_full', 'Your list is full'],
  [{ code: 409, reason: 'Your list is full', message: 'Conflict' }, undefined, 'Your list is full'],
])('a failed call has the code and the sentence of %o', async (error, code, message) => {
  fakeService({ 'GET /api/v1/account/session': { status: 409, body: { error } } })
  await expect(callApi('GET', '/account/session')).rejects.toMatchObject({ status: 409, code, message })
})
