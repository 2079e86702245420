import { expect, it } from 'vitest'
import * as onNode from '../../../../packages/rest/src/http/connection-failures.ts'
import {
  failureOf,
  isBeforeSending,
  otherPlaceOf,
} from '../../../../packages/rest/src/web/http/connection-failures.ts'

it('has the names of its twin', () => {
  const web = { failureOf, isBeforeSending, otherPlaceOf }
  expect(Object.keys(onNode).toSorted()).toEqual(Object.keys(web).toSorted())
})

it('says that the network failed, and that the request may have been sent', () => {
  expect(failureOf('TypeError')).toEqual(onNode.failureOf('TypeError'))
  expect(isBeforeSending('TypeError')).toBe(false)
  expect(otherPlaceOf()).toBe('')
})
