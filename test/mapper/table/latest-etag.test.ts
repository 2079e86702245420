import { expect, it } from 'vitest'
import { latestEtag } from '../../../packages/mapper/src/table/latest-etag.ts'

const at = (digits: string) => `W/"datetime'2026-11-20T12%3A00%3A00.${digits}Z'"`

it('is the ETag with the latest Timestamp, to the last digit', () => {
  expect(latestEtag([at('1234567'), at('1234568'), at('1234566')])).toBe(at('1234568'))
})

it('is the only one, whatever it looks like', () => {
  expect(latestEtag(['W/"opaque"'])).toBe('W/"opaque"')
  expect(latestEtag([])).toBeUndefined()
})

it('is unknown where ETags hold no Timestamp', () => {
  expect(latestEtag([at('1'), 'W/"opaque"'])).toBeUndefined()
  expect(latestEtag(['W/"1"', 'W/"2"'])).toBeUndefined()
})
