import { expect, it } from 'vitest'
import { embeddedTransport } from '../../../../packages/rowkey/src/web/targets/embedded-transport.ts'

it.each([
  ['memory:', {}, /needs Node.*rowkey serve/],
  ['file:', { data: './data' }, /needs a file system.*rowkey serve/],
])('browsers and workers reject %s, and name the way out', (_, options, message) => {
  expect(() => embeddedTransport({ now: Date.now, ...options })).toThrow(
    expect.objectContaining({ code: 'InvalidTarget', message: expect.stringMatching(message) }),
  )
})
