import { expect, it } from 'vitest'
import * as onNode from '../../../../packages/rest/src/http/fetch-errors.ts'
import { fetchErrorOf } from '../../../../packages/rest/src/web/http/fetch-errors.ts'
import { read, write } from '../../people.ts'

it('has the names of its twin', () => {
  expect(Object.keys(onNode)).toEqual(Object.keys({ fetchErrorOf }))
})

it('says that the request may have been sent, whatever the error', () => {
  const cause = Object.assign(new TypeError('Failed to fetch'), { code: 'ECONNREFUSED' })
  expect(fetchErrorOf(cause, write)).toMatchObject({
    code: 'TransportFailed',
    mayHaveApplied: true,
  })
  expect(fetchErrorOf(cause, read)).toMatchObject({ mayHaveApplied: false })
  expect(onNode.fetchErrorOf(cause, write)).toMatchObject({
    code: 'ConnectionFailed',
    mayHaveApplied: false,
  })
})
