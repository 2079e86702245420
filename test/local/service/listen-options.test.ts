import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { listenLimits, withDefaults } from '../../../packages/local/src/service/listen-options.ts'

describe('withDefaults', () => {
  it('adds the defaults', () => {
    expect(withDefaults({ connections: 7 })).toEqual({ ...withDefaults({}), connections: 7 })
  })
})

describe('listenLimits', () => {
  it.each([
    { requestTimeout: 0 },
    { requestTimeout: 2 ** 31 },
    { connections: 1.5 },
    { bufferedBytes: -1 },
    { bufferedBytes: '1' },
    { conections: 1 },
    null,
  ])('rejects %o', (limits) => {
    expect(() => listenLimits.check(limits as object, 'limits of listen')).toThrow(InputError)
  })
})
