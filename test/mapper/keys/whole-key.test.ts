import { key } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { wholeKey, wholeKeyOf } from '../../../packages/mapper/src/keys/whole-key.ts'

describe('wholeKey', () => {
  it('is the property as it is, whatever it is called', () => {
    expect(wholeKey('a:8').print({ 'a:8': 'x;y' })).toBe('x;y')
    expect(wholeKeyOf(wholeKey('a:8'))).toBe('a:8')
    expect(wholeKeyOf(key`${'name'}`)).toBe('name')
  })

  it.each([key``, key`a`, key`a${'b'}`, key`${'b'};`, key`${'b:8'}`, key`${'b:escaped'}`])(
    'is not %s',
    (other) => {
      expect(wholeKeyOf(other)).toBeUndefined()
    },
  )
})
