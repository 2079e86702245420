import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { readListenLimits } from '../../../packages/local/src/http/listen-options.ts'

describe('readListenLimits', () => {
  it('adds the defaults', () => {
    expect(readListenLimits()).toEqual(readListenLimits({}))
    expect(readListenLimits({ connections: 7 })).toEqual({ ...readListenLimits(), connections: 7 })
  })

  it.each([
    { requestTimeout: 0 },
    { requestTimeout: 2 ** 31 },
    { connections: 1.5 },
    { bufferedBytes: -1 },
    { bufferedBytes: '1' },
    { conections: 1 },
    null,
  ])('rejects %o', (limits) => {
    expect(() => readListenLimits(limits as object)).toThrow(InputError)
  })
})
